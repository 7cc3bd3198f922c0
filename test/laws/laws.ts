import type { Concept } from '../../src/suggest/words/concepts.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import type { Table } from './tables.ts';

/** Columns of the load-bearing fields, as the suggestion for the unchanged table has them. */
export interface Bearing {
  readonly name?: string | undefined;
  readonly key?: string | undefined;
  readonly price?: string | undefined;
  readonly weight?: string | undefined;
  /** Columns whose names are in payloads, as with options. */
  readonly named: ReadonlySet<string>;
  readonly isGrouped: boolean;
  /** Columns that make lists: the items of options, images and tags have their order. */
  readonly ordered: ReadonlySet<string>;
}

/** Rows of a table that is long enough to tell what is usual in it. */
const MIN_ROWS = 8;

export interface Changed {
  readonly table: Table;
  /** Rows of the original whose records may change. */
  readonly touched: ReadonlySet<number>;
  /** The change, if the law does not say it. */
  readonly about?: string;
}

/** A change after which the records of all other rows stay as they were. */
export interface Law {
  readonly name: string;
  /** The changed tables; a text says why the law says nothing about this table. */
  readonly change: (table: Table, bearing: Bearing) => readonly Changed[] | string;
  /** True if it says nothing about JSON objects, which have no header and nothing beside them. */
  readonly isOfTables?: boolean;
}

/** The changes of a law to a table; a text says why there are none. */
export function changesOf(law: Law, table: Table, bearing: Bearing): readonly Changed[] | string {
  if (table.rows.length < MIN_ROWS) return 'it has too few rows';
  return law.isOfTables && table.values !== undefined ? 'it is no table' : law.change(table, bearing);
}

export const LAWS: readonly Law[] = [
  {
    name: 'append a totals row',
    change: (table, bearing) => {
      const column = bearing.key ?? bearing.name ?? table.header[0];
      return ['TOTAL', 'Summe', 'Sub-total'].map((word) => ({
        table: added(table, totals(table, column, word)),
        touched: NONE,
      }));
    },
  },
  { name: 'blank one name', change: (table, { name }) => blanked(table, name) },
  { name: 'blank one key', change: (table, { key }) => blanked(table, key) },
  { name: 'blank one price', change: (table, { price }) => blanked(table, price) },
  {
    name: 'put a word into one price',
    change: (table, { price }) => replaced(table, price, () => 'on request'),
  },
  {
    name: 'shuffle the rows',
    change: (table, { isGrouped }) =>
      isGrouped
        ? 'its rows have an order'
        : [{ table: ordered(table, shuffled(table.rows.length)), touched: NONE }],
  },
  {
    name: 'shuffle the columns',
    change: (table, { ordered: inOrder }) => {
      const kept = [...table.header.keys()].filter((column) => inOrder.has(table.header[column] ?? ''));
      const order = shuffled(table.header.length).map((column) => (kept.includes(column) ? -1 : column));
      for (const column of kept) order[order.indexOf(-1)] = column;
      const arranged = (cells: readonly string[]) => order.map((column) => cells[column] ?? '');
      return [
        {
          table: { ...table, header: arranged(table.header), rows: table.rows.map(arranged) },
          touched: NONE,
        },
      ];
    },
  },
  {
    name: 'name a column in another language',
    change: (table, { named }) => {
      const twins = table.header.flatMap((name, column) => {
        const twin = named.has(name) ? undefined : twinOf(name, table.header);
        return twin === undefined || table.header.includes(twin) ? [] : [{ column, twin }];
      });
      return twins.length === 0
        ? 'no column has a word of the dictionary for a name'
        : twins.map(({ column, twin }) => ({
            table: { ...table, header: table.header.map((name, n) => (n === column ? twin : name)) },
            touched: NONE,
            about: `${table.header[column]} as ${twin}`,
          }));
    },
  },
  {
    name: 'add columns of another party',
    change: (table) =>
      ['seller', 'competitor'].map((party) => ({
        table: {
          ...table,
          header: [...table.header, ...table.header.map((name) => `${party}_${name}`)],
          rows: table.rows.map((cells, row) => [...cells, ...(table.rows[row % 2] ?? cells)]),
        },
        touched: NONE,
      })),
  },
  {
    name: 'repeat the header among the rows',
    isOfTables: true,
    change: (table) =>
      placesIn(table, () => true)
        .slice(0, 2)
        .map((row) => ({ table: added(table, table.header, row), touched: NONE })),
  },
  {
    name: 'write a footer',
    isOfTables: true,
    change: (table) => [
      {
        table: added(
          table,
          table.header.map((_, n) => (n === 0 ? 'Page 1 of 1' : '')),
        ),
        touched: NONE,
      },
    ],
  },
  {
    name: 'put a title above',
    isOfTables: true,
    change: (table) =>
      [
        [['Stock list of 2026-11-01'], ['']],
        [['Example Ltd'], ['All prices in EUR']],
      ].map((above) => ({
        table: {
          ...table,
          above: above.map((cells) => table.header.map((_, n) => cells[n] ?? '')),
        },
        touched: NONE,
      })),
  },
  {
    name: 'put a table below',
    isOfTables: true,
    change: (table, { key }) => {
      const names = [key ?? table.header[0] ?? '', 'Supplier', 'City'];
      const below = [
        [],
        names,
        ...['Acme', 'Bazaar', 'Cork & Sons'].map((name, n) => [`S${n}`, name, 'Leeds']),
      ];
      if (table.header.length < names.length) return 'it has too few columns';
      return [
        {
          table: below.reduce<Table>(
            (longer, cells) =>
              added(
                longer,
                table.header.map((_, n) => cells[n] ?? ''),
              ),
            table,
          ),
          touched: NONE,
        },
      ];
    },
  },
  {
    name: 'put a table beside',
    isOfTables: true,
    change: (table) => {
      const beside = [
        ['', 'Supplier', 'Remarks', 'Vendor country'],
        ['', 'Acme', 'Delivers on Mondays', 'France'],
        ['', 'Bazaar', 'Closed in August', 'Spain'],
        ['', 'Cork & Sons', 'No returns', 'Ireland'],
      ];
      const names = table.header.map((name) => name.toLowerCase());
      if (beside[0]?.some((name) => name !== '' && names.includes(name.toLowerCase())))
        return 'it has a column of such a name';
      const [header = [], ...rows] = beside;
      return [
        {
          table: {
            ...table,
            header: [...table.header, ...header],
            rows: table.rows.map((cells, row) => [...cells, ...(rows[row] ?? header.map(() => ''))]),
          },
          touched: NONE,
        },
      ];
    },
  },
  {
    name: 'put a word into one price in ten',
    change: (table, { price }) => inTenth(table, price, () => 'on request'),
  },
  { name: 'blank one price in ten', change: (table, { price }) => inTenth(table, price, () => '') },
  { name: 'blank one name in twenty', change: (table, { name }) => inTenth(table, name, () => '', 20) },
  {
    name: 'change the unit of one weight',
    change: (table, { weight }) => replaced(table, weight, (cell) => `${cell.replace(/[^\d.,]+$/, '')} kg`),
  },
  {
    name: 'change the currency of one price',
    change: (table, { price }) => replaced(table, price, (cell) => `${cell.replace(/[^\d.,]+$/, '')} JPY`),
  },
  {
    name: 'change the decimal style of one price',
    change: (table, { price }) =>
      replaced(table, price, (cell) =>
        cell.includes('.') ? cell.replace('.', ',') : cell.replace(',', '.'),
      ),
  },
];

const NONE: ReadonlySet<number> = new Set();

function added(table: Table, cells: readonly string[], at = table.rows.length): Table {
  return {
    ...table,
    rows: table.rows.toSpliced(at, 0, cells),
    origins: table.origins.toSpliced(at, 0, -1),
  };
}

/** A row of totals: the word, and the sums of the columns that hold nothing but numbers. */
function totals({ header, rows }: Table, column: string | undefined, word: string): string[] {
  return header.map((name, n) => {
    if (name === column) return word;
    const cells = rows.map((row) => row[n] ?? '').filter((cell) => cell.trim() !== '');
    const isNumbers =
      cells.length > 0.9 * rows.length && cells.every((cell) => /^\d{1,6}([.]\d{1,2})?$/.test(cell));
    return isNumbers
      ? String(Math.round(100 * cells.reduce((sum, cell) => sum + Number(cell), 0)) / 100)
      : '';
  });
}

/** Finds a row at the beginning, in the middle and at the end for which the test holds. */
function placesIn({ rows }: Table, holds: (row: number) => boolean): number[] {
  const all = [...rows.keys()].filter(holds);
  return [...new Set([all[1] ?? all[0], all[Math.floor(all.length / 2)], all.at(-1)])].filter(
    (row) => row !== undefined,
  );
}

function blanked(table: Table, column: string | undefined): readonly Changed[] | string {
  return replaced(table, column, () => '');
}

/** Replaces one cell of a column, at each of several places. */
function replaced(
  table: Table,
  column: string | undefined,
  by: (cell: string) => string,
): readonly Changed[] | string {
  const at = table.header.indexOf(column ?? '');
  if (at < 0) return 'it has no such column';
  const cellOf = (row: number) => table.rows[row]?.[at] ?? '';
  if (table.rows.filter((cells) => (cells[at] ?? '').trim() !== '').length < MIN_ROWS)
    return 'the column has too few cells';
  const places = placesIn(table, (row) => cellOf(row).trim() !== '' && by(cellOf(row)) !== cellOf(row));
  if (places.length === 0) return 'it has no such cell';
  return places.map((place) => ({
    table: {
      ...table,
      rows: table.rows.map((cells, row) => (row === place ? cells.with(at, by(cells[at] ?? '')) : cells)),
    },
    touched: new Set([table.origins[place] ?? -1]),
  }));
}

/** Replaces one cell in ten of a column, or in another number. */
function inTenth(
  table: Table,
  column: string | undefined,
  by: (cell: string) => string,
  every = 10,
): readonly Changed[] | string {
  const at = table.header.indexOf(column ?? '');
  if (at < 0) return 'it has no such column';
  const filled = [...table.rows.keys()].filter((row) => (table.rows[row]?.[at] ?? '').trim() !== '');
  if (filled.length < every) return 'the column has too few cells';
  const places = new Set(filled.filter((_, n) => n % every === every - 1));
  return [
    {
      table: {
        ...table,
        rows: table.rows.map((cells, row) => (places.has(row) ? cells.with(at, by(cells[at] ?? '')) : cells)),
      },
      touched: new Set([...places].map((place) => table.origins[place] ?? -1)),
    },
  ];
}

/** The same order each time. */
function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, n) => n);
  let seed = 12345;
  for (let n = count - 1; n > 0; n--) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const other = seed % (n + 1);
    [order[n], order[other]] = [order[other] as number, order[n] as number];
  }
  return order;
}

function ordered(table: Table, order: readonly number[]): Table {
  return {
    ...table,
    rows: order.map((row) => table.rows[row] ?? []),
    origins: order.map((row) => table.origins[row] ?? -1),
  };
}

/** The concepts that a name is a word for, in any language. */
function meaningOf(name: string): Concept[] {
  const word = name.trim().toLowerCase();
  const found = Object.values(LANGUAGES).flatMap((words) =>
    (Object.entries(words) as [Concept, string][]).flatMap(([concept, list]) =>
      list.split(', ').includes(word) ? [concept] : [],
    ),
  );
  return [...new Set(found)];
}

/**
 * The same name in another language; undefined if the name is no word of the dictionary, or has two meanings, or another column has
 * this meaning too.
 */
function twinOf(name: string, header: readonly string[]): string | undefined {
  const [concept, ...others] = meaningOf(name);
  const isShared = header.some(
    (each) => each !== name && concept !== undefined && meaningOf(each).includes(concept),
  );
  if (concept === undefined || others.length > 0 || isShared) return undefined;
  return ['de', 'fr', 'pl', 'en']
    .map((language) => LANGUAGES[language]?.[concept]?.split(', ')[0])
    .find((word) => word !== undefined && word !== name.trim().toLowerCase() && meaningOf(word).length === 1);
}
