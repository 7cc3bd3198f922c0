import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

/** The status of each product of a file whose other columns are plain. */
function statesOf(header: string, cells: readonly string[]) {
  const rows = cells.map((cell, n) => `A${n},Pen ${n},${n}.50,${cell}`);
  const { payloads, risks, draft } = suggested('products', [`SKU,Name,Price,${header}`, ...rows].join('\n'));
  return { states: payloads.map(({ status }) => status), risks, draft };
}

describe('products that are not public', () => {
  test.each([
    ['Listing state', ['Live', 'Withdrawn', 'Paused']],
    ['Verkaufsstatus', ['aktiv', 'Auslauf', 'gesperrt']],
    ['Salgsstatus', ['aktiv', 'udgået', 'skjult']],
    ['Release status', ['published', 'in_review', 'delisted']],
    ['En vente', ['oui', 'non', 'non']],
    ['Näkyy kaupassa', ['Kyllä', 'Ei', 'Ei']],
    ['Må sælges', ['Ja', 'Nej', 'Nej']],
    ['In vendita', ['sì', 'no', 'no']],
    ['W sprzedaży', ['tak', 'nie', 'nie']],
    ['В продаже', ['да', 'нет', 'нет']],
    ['Freigabe', ['J', 'N', 'N']],
  ])('stay drafts by the words of %s', (name, cells) => {
    expect(statesOf(name, cells).states).toEqual(['PUBLISH', 'DRAFT', 'DRAFT']);
  });

  test.each(['availability', 'Verfügbarkeit', 'Disponibilité'])(
    'stay drafts if they are discontinued by %s',
    (name) => {
      const { states } = statesOf(name, ['in stock', 'discontinued', 'out of stock']);
      expect(states).toEqual(['PUBLISH', 'DRAFT', 'PUBLISH']);
    },
  );

  test.each([
    ['deleted_at', 'TRASH'],
    ['archivedAt', 'TRASH'],
    ['Gelöscht am', 'TRASH'],
    ['discontinued_on', 'DRAFT'],
    ['Active until', 'DRAFT'],
    ['Online bis', 'DRAFT'],
  ])('are no longer public from the day in %s on', (name, state) => {
    const { states } = statesOf(name, ['', '2020-01-31', '2999-01-31', 'NULL', '0000-00-00 00:00:00']);
    expect(states).toEqual(['PUBLISH', state, 'PUBLISH', 'PUBLISH', 'PUBLISH']);
  });

  test.each(['Visible from', 'Online ab', 'available_from'])(
    'are not public before the day in %s',
    (name) => {
      const { states } = statesOf(name, ['2020-01-31', '', '2999-01-31']);
      expect(states).toEqual(['PUBLISH', 'PUBLISH', 'DRAFT']);
    },
  );

  test.each(['published_at', 'Publish date'])(
    'are not public before the day in %s, or without one',
    (name) => {
      const { states } = statesOf(name, ['2020-01-31', '', '2999-01-31']);
      expect(states).toEqual(['PUBLISH', 'DRAFT', 'DRAFT']);
    },
  );

  test('are drafts by a mark in a column of what is discontinued', () => {
    expect(statesOf('Discontinued', ['', 'x', '']).states).toEqual(['PUBLISH', 'DRAFT', 'PUBLISH']);
    expect(statesOf('Utgår', ['', 'X', '']).states).toEqual(['PUBLISH', 'DRAFT', 'PUBLISH']);
  });

  test('a product that another status calls archived is a draft', () => {
    const { states } = statesOf('Status,Lifecycle status', [
      'active,current',
      'active,archived',
      'active,active',
    ]);
    expect(states).toEqual(['PUBLISH', 'DRAFT', 'PUBLISH']);
  });
});

test.each(['Stan', 'En ligne', 'Status'])('figures in %s are counts, and no state of a product', (name) => {
  const { draft } = statesOf(name, ['12', '4', '40']);
  expect(draft.fields.find(({ field }) => field === 'status')).toBeUndefined();
});

describe('a column that seems to decide what is public', () => {
  test.each([
    ['Visible in B2B portal', ['portal', 'none', 'portal']],
    ['Release state', ['green', 'red', 'green']],
    ['Published', ['2020-01-31', '1999-05-01', '']],
    ['Web', ['Y', 'N', 'Y']],
  ])('is named if it is not used: %s', (name, cells) => {
    const { states, risks } = statesOf(name, cells);
    expect(states).toEqual([undefined, undefined, undefined]);
    expect(risks).toEqual({ [name]: 'it may decide what is public' });
  });

  test.each([
    ['with one text in all rows', 'Visible in B2B portal', ['portal', 'portal', 'portal']],
    ['of a shipment', 'Shipping status', ['open', 'done', 'open']],
    ['of unknown yes and no beside a status', 'Status,Web', ['active,Y', 'active,N', 'draft,Y']],
  ])('is none %s', (_, name, cells) => {
    expect(statesOf(name, cells).risks).toEqual({});
  });
});

describe('customers who may not buy', () => {
  const customers = (name: string, cells: readonly string[]) => {
    const rows = cells.map((cell, n) => `Ann${n},Lee,a${n}@example.com,${cell}`);
    return suggested('customers', [`First name,Last name,Email,${name}`, ...rows].join('\n'));
  };
  const statesIn = (name: string, cells: readonly string[]) =>
    customers(name, cells).payloads.map(({ status }) => status);

  test.each([
    ['Blacklisted', ['no', 'yes', '']],
    ['Gesperrt', ['Nein', 'Ja', '']],
    ['Spærret', ['Nej', 'Ja', '']],
    ['Bloqué', ['non', 'oui', '']],
    ['Is blocked', ['0', '1', '']],
    ['Kara liste', ['', 'x', '']],
  ])('are blocked by %s', (name, cells) => {
    expect(statesIn(name, cells)).toEqual([undefined, 'BLOCKED', undefined]);
  });

  test('are not active from the day on which they were deleted, and blocked before anything else', () => {
    const cells = ['1,,no', '1,2020-01-31,no', '0,,no', '1,2020-01-31,yes'];
    expect(statesIn('is_active,deleted_at,Blocked', cells)).toEqual([
      ...['ACTIVE', 'UNACTIVE', 'UNACTIVE', 'BLOCKED'],
    ]);
  });

  test('are not active by a word that is not known, if most words are', () => {
    const cells = ['active', 'Suspended', 'active', 'wobbly', 'disabled'];
    expect(statesIn('Status', cells)).toEqual(['ACTIVE', 'BLOCKED', 'ACTIVE', 'UNACTIVE', 'UNACTIVE']);
    const { draft } = customers('Status', cells);
    expect(draft.fields.find(({ field }) => field === 'status')?.doubt).toBe(
      'it is not known what these words mean, so their customers are not active: wobbly',
    );
  });

  test('have no status by words that are not known, and the column is named', () => {
    const { payloads, risks } = customers('Status', ['Gold', 'VIP', 'Gold']);
    expect(payloads.map(({ status }) => status)).toEqual([undefined, undefined, undefined]);
    expect(risks).toEqual({ Status: 'it may decide who can buy' });
  });
});
