import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const namesOf = (header: string, ...rows: readonly string[]) => {
  const { payloads, draft } = suggested(
    'customers',
    [`Email,${header}`, ...rows.map((row, n) => `a${n}@x.com,${row}`)].join('\n'),
  );
  return {
    names: payloads.map(({ firstname, lastname, address }) => [
      firstname,
      lastname,
      (address as { company?: string } | undefined)?.company,
    ]),
    doubt: draft.fields.find(({ field }) => field === 'firstname')?.doubt,
    draft,
  };
};

const ANN = ['Ann', 'Lee', undefined];
const SUN = ['Café Sun', 'Café Sun', 'Café Sun'];

describe('customers who are companies', () => {
  test.each([
    ['Namn,Kundtyp', 'Privat', 'Företag'],
    ['Name,Typ', 'Privat', 'Firma'],
    ['Name,Customer type', 'Individual', 'Company'],
    ['Nom,Type de client', 'Particulier', 'Entreprise'],
    ['Nombre,Tipo de cliente', 'Particular', 'Empresa'],
    ['Navn,Kundetype', 'Privat', 'Virksomhed'],
    ['Naam,Klanttype', 'Particulier', 'Zakelijk'],
    ['Name,Is a Company', 'no', 'yes'],
    ['Name,Is a Company', 'False', 'True'],
    ['Name,Company?', '0', '1'],
  ])('by %s with %s and %s keep their whole name, and have a company', (header, person, company) => {
    const { names } = namesOf(header, `Ann Lee,${person}`, `Café Sun,${company}`, `Ann Lee,${person}`);
    expect(names).toEqual([ANN, SUN, ANN]);
  });

  test('customers who are companies have the company of their own column first', () => {
    const { names } = namesOf('Name,Company name,Type', 'Ann Lee,,Private', 'Bo Ray,Sun Ltd,Business');
    expect(names).toEqual([ANN, ['Bo Ray', 'Bo Ray', 'Sun Ltd']]);
  });

  test('customers who are companies are named in the doubt with a cell', () => {
    const { doubt } = namesOf('Namn,Kundtyp', 'Ann Lee,Privat', 'Café Sun,Företag', 'Bygg AB,Privat');
    expect(doubt).toBe(
      'the whole name is split into two; "Ann" is the first name of "Ann Lee"; a company by Kundtyp, such as "Café Sun", has it as both names; 1 of 3 names look like companies, such as "Bygg AB", and are not split',
    );
  });

  test('customers who are companies are not guessed from a column with one kind, or with words of other things', () => {
    expect(namesOf('Name,Type', 'Ann Lee,Business', 'Bo Ray,Business').names[0]).toEqual(ANN);
    expect(namesOf('Name,Profession', 'Ann Lee,Business', 'Bo Ray,Law').names[0]).toEqual(ANN);
    expect(namesOf('Name,Type', 'Ann Lee,VIP', 'Bo Ray,Lead').names[0]).toEqual(ANN);
  });

  test('do not change customers with a first and a last name', () => {
    const { names } = namesOf('First name,Last name,Type', 'Ann,Lee,Private', 'Bo,Ray,Business');
    expect(names).toEqual([ANN, ['Bo', 'Ray', undefined]]);
  });
});
