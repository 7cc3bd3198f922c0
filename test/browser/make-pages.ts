import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import type { TestProject } from 'vitest/node';
import type { ActivityPoint } from '../../src/model/index.ts';
import { runPage } from '../../src/report/page/page.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { environmentOf, storeport } from '../support/run.ts';
import { runSummary } from '../support/run-summary.ts';
import { chromiumPath } from './browser.ts';

/** Addresses of the pages, by the name of their report. */
export type Pages = Readonly<Record<keyof typeof FILES | keyof typeof COMMANDS | 'charts', string>>;

declare module 'vitest' {
  export interface ProvidedContext {
    pages: Pages;
  }
}

type Table = readonly (readonly string[])[];
const HEADER = ['reference', 'name', 'price.salePrice'];
/** Rows with the keys `PEN-0`, `PEN-1`, … behind a prefix. */
const products = (count: number, { prefix = '', name = 'Fountain pen', price = '12' }) =>
  Array.from({ length: count }, (_, index) => [`${prefix}PEN-${index}`, name && `${name} ${index}`, price]);

/** Rows of the report `bad` that do not arrive; more than a print shows. */
export const WRONG_PRICES = 120;
export const MISSING_NAMES = 5;
export const MARKUP = '<script>window.__ran = true</script><img src="x" onerror="window.__ran = true">';
const HOSTILE_NAME = `</td></table>${MARKUP}\u202egnp.exe\u200f \u{1f58b}\ufe0f\u{1f469}\u200d\u{1f467}`;

const FILES = {
  good: { table: [HEADER, ...products(40, {})] },
  bad: {
    table: [
      [...HEADER, 'Internal note', 'Warehouse'],
      ...[
        ...products(10, {}),
        ...products(WRONG_PRICES, { prefix: 'BAD-', price: 'about 9' }),
        ...products(MISSING_NAMES, { prefix: 'NEW-', name: '' }),
      ].map((row) => [...row, 'ask Ann', 'B7']),
    ],
  },
  inDoubt: {
    table: [HEADER, ...products(12, {})],
    sandbox: { faults: { 'late-reset': '#2@create' } },
  },
  hostile: {
    table: [
      [...HEADER, MARKUP, ...Array.from({ length: 296 }, (_, index) => `Column ${index} & more`)],
      [MARKUP, HOSTILE_NAME, MARKUP, '"><b>', ...Array.from({ length: 296 }, () => MARKUP)],
      ['LONG', 'x'.repeat(1_000_000), 'about 9', ...Array.from({ length: 297 }, () => 'y'.repeat(200))],
    ],
  },
  empty: { table: [HEADER] },
} satisfies Record<string, { table: Table; sandbox?: SandboxOptions }>;

/** Commands that send nothing, on the file of the report `bad`, with the name of their page. */
const COMMANDS = {
  checked: [['validate', 'products', 'products.csv', '--out', 'out'], 'out/report.html'],
  cleaned: [['clean', 'products', 'products.csv', '--out', 'clean.csv'], 'clean.report.html'],
  exported: [['export', 'reviews', '--sandbox', '--out', 'reviews.csv'], 'reviews.csv.report.html'],
} satisfies Record<string, readonly [args: readonly string[], page: string]>;

/** Makes a page of each kind once, before all tests of the browser. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  chromiumPath();
  const folder = mkdtempSync(join(tmpdir(), 'storeport-pages-'));
  const pages: Record<string, string> = { charts: writeCharts(join(folder, 'charts')) };
  for (const [name, { table, ...more }] of Object.entries(FILES))
    pages[name] = await importedPage(join(folder, name), table, 'sandbox' in more ? more.sandbox : {});
  for (const [name, [args, page]] of Object.entries(COMMANDS))
    pages[name] = await pageOf(join(folder, name), FILES.bad.table, { args, page });
  provide('pages', pages as Pages);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Imports a table with the built command, and returns the address of the page. */
async function importedPage(folder: string, table: Table, options: SandboxOptions): Promise<string> {
  const sandbox = await startSandbox(options);
  try {
    const args = ['import', 'products', 'products.csv', '--out', 'out'];
    return await pageOf(folder, table, { args, page: 'out/report.html', env: environmentOf(sandbox) });
  } finally {
    await sandbox.close();
  }
}

interface PageOptions {
  readonly args: readonly string[];
  /** Path of the page that the command writes. */
  readonly page: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command on a table, and returns the address of its page. */
async function pageOf(folder: string, table: Table, { args, page, env = {} }: PageOptions): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'products.csv'), stringify(table as string[][]));
  const { code, stderr } = await storeport(args, { cwd: folder, env });
  if (code !== 0 && code !== 1) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
  return pathToFileURL(join(folder, page)).href;
}

/** A run of two minutes in which the store was away for a while, and refused requests. */
function writeCharts(folder: string): string {
  mkdirSync(folder);
  const point = (index: number): ActivityPoint => {
    const isAway = index >= 20 && index < 26;
    const records = isAway ? 0 : Math.round(90 + 40 * Math.sin(index / 4) + (index % 7));
    return {
      ...{ records, rate: index < 10 ? undefined : 60 },
      ...(isAway ? { waitedMs: 2000, waitedFor: 'the store: it is away' } : { waitedMs: 0 }),
      answers: {
        ...{ all: records, refused: index % 9 === 0 ? 2 : 0, faults: index === 19 ? 3 : 0 },
        times: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Math.floor(records / 2), records - Math.floor(records / 2)],
      },
    };
  };
  const points = Array.from({ length: 60 }, (_, index) => point(index));
  const records = points.reduce((sum, each) => sum + each.records, 0);
  const run = runSummary({
    ...{ records, outcomes: { created: records }, attempts: records, duration_ms: 120_000 },
    records_per_second: Math.round(records / 120),
  });
  const page = runPage({ run, returned: undefined, options: {}, activity: { widthMs: 2000, points } });
  const path = join(folder, 'report.html');
  writeFileSync(path, page);
  return pathToFileURL(path).href;
}
