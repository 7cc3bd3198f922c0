import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const split = (header: string, ...names: readonly string[]) => {
  const rows = names.map((name, n) => `${JSON.stringify(name)},a${n}@x.com`);
  const { payloads, draft } = suggested('customers', [`${JSON.stringify(header)},Email`, ...rows].join('\n'));
  return {
    names: payloads.map(({ firstname, lastname }) => [firstname, lastname]),
    doubt: draft.fields.find(({ field }) => field === 'firstname')?.doubt,
  };
};

describe('whole names with the family name first', () => {
  test.each([
    ['Клиент', 'Иванов Иван', 'Иван', 'Иванов'],
    ['Имя', 'Петрова Марина', 'Марина', 'Петрова'],
    ['ФИО', 'Кац Лев', 'Лев', 'Кац'],
    ['Клиент', 'Кац Иван Петрович', 'Иван Петрович', 'Кац'],
    ['Клієнт', 'Шевченко Тарас', 'Тарас', 'Шевченко'],
    ['Klient', 'Kowalska Anna', 'Anna', 'Kowalska'],
    ['Client', 'DUPONT Jean', 'Jean', 'DUPONT'],
    ['Név', 'Nagy Béla', 'Béla', 'Nagy'],
    ['Név', 'Dr. Kiss Anna Mária', 'Anna Mária', 'Dr. Kiss'],
    ['Họ và tên', 'Nguyễn Văn An', 'Văn An', 'Nguyễn'],
    ['Nom Prénom', 'Dupont Jean', 'Jean', 'Dupont'],
    ['Nachname, Vorname', 'Meyer Anna', 'Anna', 'Meyer'],
    ['Surname and first name', 'Lee Ann', 'Ann', 'Lee'],
    ['氏名', '山田 太郎', '太郎', '山田'],
    ['姓名', '王 小明', '小明', '王'],
    ['Name', 'Lee, Ann', 'Ann', 'Lee'],
  ])('below %s are exchanged: %s', (header, name, first, last) => {
    expect(split(header, name).names).toEqual([[first, last]]);
  });

  test('keep a company whole', () => {
    const { names } = split('Клиент', 'Иванов Иван', 'ООО Ромашка', 'Петрова Анна', 'ИП Сидоров Пётр');
    expect(names[1]).toEqual(['ООО Ромашка', 'ООО Ромашка']);
    expect(names[3]).toEqual(['ИП Сидоров Пётр', 'ИП Сидоров Пётр']);
  });

  test('whole names with the family name first are said in the doubt with a cell', () => {
    expect(split('Név', 'Nagy Béla', 'Kiss Réka').doubt).toBe(
      'the whole name is split into two, with the family name first; "Béla" is the first name of "Nagy Béla"',
    );
  });
});

describe('whole names with the given name first', () => {
  test.each([
    ['Клиент', 'Иван Иванов', 'Иван', 'Иванов'],
    ['ФИО', 'Марина Петрова', 'Марина', 'Петрова'],
    ['Клиент', 'Иван Петрович Кац', 'Иван Петрович', 'Кац'],
    ['Klient', 'Anna Kowalska', 'Anna', 'Kowalska'],
    ['Név', 'Jean DUPONT', 'Jean', 'DUPONT'],
    ['Vorname, Nachname', 'Anna Meyer', 'Anna', 'Meyer'],
    ['Customer name', 'Ann van der Berg', 'Ann', 'van der Berg'],
  ])('below %s stay as they are: %s', (header, name, first, last) => {
    expect(split(header, name).names).toEqual([[first, last]]);
  });

  test('whole names with the given name first have a doubt that shows which part is the first name', () => {
    expect(split('Name', 'Ann Lee', 'Bo Ray').doubt).toBe(
      'the whole name is split into two; "Ann" is the first name of "Ann Lee"',
    );
  });
});

test('names of companies by their legal forms are named with a cell', () => {
  const forms = [
    'Bygg AB',
    'Meyer GmbH',
    'Lee Ltd',
    'Virta Oy',
    'Sol S.r.l.',
    'ООО Ромашка',
    'Rex sp. z o.o.',
  ];
  const { doubt, names } = split('Name', 'Ann Lee', ...forms);
  expect(doubt).toContain('7 of 8 names look like companies, such as "Bygg AB", and are not split');
  expect(names.slice(1)).toEqual(forms.map((form) => [form, form]));
});

test.each(['株式会社山田', '山田商事 株式会社', '주식회사 한빛', '北京花园有限公司'])(
  'the name of the company %s is not split',
  (company) => {
    expect(split('Name', '山田 太郎', company).names[1]).toEqual([company, company]);
  },
);

test('whole names in orders have the family name first too', () => {
  const { payloads } = suggested(
    'orders',
    'Номер заказа,Клиент,Товар,Количество,Цена за единицу\n1,Иванов Иван,Ручка,2,5.00\n2,Петрова Анна,Книга,1,9.50',
  );
  expect(payloads.map(({ customer }) => customer)).toMatchObject([
    { firstname: 'Иван', lastname: 'Иванов' },
    { firstname: 'Анна', lastname: 'Петрова' },
  ]);
});
