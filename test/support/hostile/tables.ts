import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Dice } from './dice.ts';
import { NAMES, value } from './values.ts';

/** Cells of a file before they are written in a format. */
export interface HostileTable {
  readonly resource: string;
  readonly header: string[];
  readonly rows: string[][];
  /** Files of the project that the mapping joins with this one. */
  readonly beside: readonly string[];
}

export const RESOURCES = ['products', 'customers', 'orders', 'discounts', 'suppliers'];

// The working directory, for the bundle of the program is elsewhere.
const SAMPLES = join(process.cwd(), 'samples');

const DELIMITERS = [',', ';', '\t', '|'];

interface Expected {
  readonly resource: string;
  readonly with?: readonly string[];
}

interface SampleTable {
  readonly resource: string;
  readonly lines: readonly (readonly string[])[];
  readonly beside: readonly string[];
}

let samples: readonly SampleTable[] | undefined;

/** All samples of the project: native columns, and the exports that the presets know. */
function sampleTables(): readonly SampleTable[] {
  if (samples) return samples;
  const expected: Record<string, Expected> = JSON.parse(readFileSync(join(SAMPLES, 'expected.json'), 'utf8'));
  const tables = Object.entries(expected).map(([name, { resource, with: beside = [] }]) => {
    const text = readFileSync(join(SAMPLES, name), 'utf8');
    const [line = ''] = text.split('\n', 1);
    const [delimiter = ','] = DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length);
    const lines: string[][] = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
    });
    return { resource, lines, beside: beside.map((file) => join(SAMPLES, file)) };
  });
  // Native columns are every second table, since presets accept less.
  const native = Object.keys(expected).flatMap((name, at) =>
    name.startsWith('native-') ? [tables[at] as SampleTable] : [],
  );
  const times = Math.ceil(tables.length / native.length);
  samples = [...tables, ...Array.from({ length: times }, () => native).flat()];
  return samples;
}

/** Rows of a sample with a changed structure and hostile cells, or only hostile cells. */
export function hostileTable(dice: Dice): HostileTable {
  if (dice.chance(0.03)) return wildTable(dice);
  const { resource, lines, beside } = dice.of(sampleTables());
  const from = 1 + dice.below(lines.length - 1);
  const rows = lines.slice(from, from + 1 + dice.below(12)).map((row) => [...row]);
  const table: HostileTable = { resource, header: [...(lines[0] ?? [])], rows, beside };
  for (let times = dice.of([0, 0, 1, 1, 2]); times > 0; times--) dice.of(CHANGES)(dice, table);
  const share = dice.of([0, 0.01, 0.05, 0.05, 0.3]);
  for (const row of table.rows) for (const at of row.keys()) if (dice.chance(share)) row[at] = value(dice);
  if (dice.chance(0.01)) table.rows.push(...manyRows(dice, table.rows));
  return dice.chance(0.02) ? { ...table, resource: dice.of(RESOURCES) } : table;
}

/** Changes of a table that leave most of it readable. */
const CHANGES: readonly ((dice: Dice, table: HostileTable) => void)[] = [
  ({ of }, { header, rows }) => {
    const name = of(NAMES);
    header.push(name);
    for (const row of rows) row.push(of(NAMES));
  },
  ({ of, below }, { header }) => {
    header[below(header.length)] = of(NAMES);
  },
  ({ below }, { header }) => {
    header[below(header.length)] = header[below(header.length)] ?? '';
  },
  ({ below }, { header, rows }) => {
    const at = below(header.length);
    for (const row of [header, ...rows]) row.splice(at, 1);
  },
  ({ below }, { header, rows }) => {
    const [a, b] = [below(header.length), below(header.length)];
    for (const row of [header, ...rows]) [row[a], row[b]] = [row[b] ?? '', row[a] ?? ''];
  },
  ({ of, below }, { rows }) => of(rows).splice(below(9)),
  ({ of, list }, { rows }) => of(rows).push(...list(4, () => of(NAMES))),
  ({ of, below }, { rows }) => rows.splice(below(rows.length), 0, [...of(rows)]),
  ({ below }, { rows }) => {
    rows.push(...rows.splice(0, below(rows.length)));
  },
  ({ of, below }, { rows }) => rows.splice(below(rows.length), 0, of([[], [''], ['', '', ''], ['# note']])),
  ({ below }, { header, rows }) => {
    const at = below(header.length);
    for (const row of rows) if (at < row.length) row[at] = '';
  },
  ({ below }, { header, rows }) => {
    const at = below(header.length);
    for (const row of rows) if (at < row.length) row[at] = rows[0]?.[at] ?? '';
  },
];

/** Some hundred rows of their own keys. */
function manyRows(dice: Dice, rows: readonly string[][]): string[][] {
  return Array.from({ length: dice.below(400) }, (_, at) =>
    dice.of(rows).map((cell, n) => (n < 2 ? cell + at : cell)),
  );
}

/** Unknown names and hostile cells alone. */
function wildTable(dice: Dice): HostileTable {
  const width = dice.chance(0.02) ? dice.below(3000) + 1 : dice.below(12) + 1;
  const header = Array.from({ length: width }, () => dice.of(NAMES));
  const cell = width > 100 ? () => 'b' : () => value(dice);
  const rows = dice.list(12, () => Array.from({ length: width }, cell));
  return { resource: dice.of(RESOURCES), header, rows, beside: [] };
}
