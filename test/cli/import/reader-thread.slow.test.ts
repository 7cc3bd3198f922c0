import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { environmentFor } from '../../faults/plan.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { flawedProducts as csv, PADDING, THREAD_ROWS } from '../../support/flawed-products.ts';
import { binary } from '../../support/run.ts';

// Large files are read by a thread. Each case checks and imports the same files with and without it, each time for a new
// store: a command within the process of the tests has no threads.

const cli = cliForEachTest();

interface Case {
  readonly name: string;
  readonly files: (folder: string) => readonly string[];
  readonly args?: readonly string[];
  /** Options of the import alone. */
  readonly sending?: readonly string[];
}

const write = (folder: string, file: string, content: string | Buffer) => {
  writeFileSync(join(folder, file), content);
  return file;
};

const CASES: readonly Case[] = [
  { name: 'CSV with mistakes', files: (folder) => [write(folder, 'a.csv', csv(THREAD_ROWS, 'a'))] },
  {
    name: 'two files, one packed',
    files: (folder) => [
      write(folder, 'a.csv', csv(THREAD_ROWS - 60, 'a')),
      write(folder, 'b.csv.gz', gzipSync(csv(200, 'a'))),
    ],
  },
  {
    name: 'a part of JSON',
    files: (folder) => {
      const items = Array.from({ length: THREAD_ROWS }, (_, n) => ({
        ...{ name: `Product ${n}`, reference: `j-${n}`, price: { salePrice: n }, description: PADDING },
        ...(n % 50 === 0 ? { unknown: 'a field of no meaning' } : {}),
      }));
      return [write(folder, 'a.json', JSON.stringify(items))];
    },
    args: ['--offset', '10', '--limit', '700'],
  },
  {
    name: 'rows that are apart',
    files: (folder) => {
      const rows = Array.from({ length: THREAD_ROWS }, (_, n) => {
        const product = n % 100 === 99 ? n - 90 : n - (n % 3);
        return `P${product},Product ${product},${n},v${n},${PADDING}`;
      });
      const mapping = `resource: products
group: { by: Id }
fields:
  reference: Id
  name: Name
  html: Text
  price.salePrice: { from: Price, number: true, across: min }
  variants: { each: row, fields: { name: Variant } }
checks:
  - { each: variants, that: "$not($contains(name, '33'))", message: "No size has this name." }
  - { that: "$count(variants) != 2", warn: "Two sizes are rare." }
`;
      write(folder, 'm.yaml', mapping);
      return [write(folder, 'a.csv', `Id,Name,Price,Variant,Text\n${rows.join('\n')}\n`)];
    },
    args: ['--mapping', 'm.yaml'],
  },
  {
    name: 'too many mistakes',
    files: (folder) => [write(folder, 'a.csv', csv(THREAD_ROWS, 'a'))],
    args: ['--max-errors', '12'],
    sending: ['--concurrency', '1'],
  },
];

/** The text without what differs between two runs. */
function steady(text: string): string {
  return text
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'ID')
    .replaceAll(/"rate":[\d.]+,"seconds":\d+/g, 'RATE')
    .replaceAll(/[\d.,]+ (?:requests )?a second/g, 'RATE')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'STORE')
    .replaceAll(/ in [\d.]+ ?(?:s|ms|min)\b/g, ' in TIME');
}

/** Lines of results.csv without identifiers and times; the order of rows with equal keys is that of the file. */
function reportsIn(folder: string) {
  const { results, errors, inDoubt, summary } = cli.reports(folder);
  const { started_at, finished_at, duration_ms, records_per_second, activity, out, ...steadySummary } =
    summary;
  return {
    results: results.map(({ id, duration_ms: _, attempts: __, ...line }) => steady(JSON.stringify(line))),
    errors: errors.map((line) => steady(JSON.stringify(line))),
    inDoubt,
    summary: steady(JSON.stringify(steadySummary)),
  };
}

async function everything(given: Case, inThread: boolean) {
  const files = given.files(cli.cwd);
  const ended = [];
  // The checks are before and after the ledger knows the records.
  for (const command of ['validate', 'import', 'import', 'validate']) {
    const out: string = `out-${ended.length}`;
    const trace = join(cli.cwd, `trace-${ended.length}`);
    // Progress is printed every five seconds.
    const args = [command, 'products', ...files, '--out', out, '--no-progress', ...(given.args ?? [])];
    args.push(...(command === 'validate' ? ['--show', '3'] : (given.sending ?? [])));
    const { code, stdout, stderr } = inThread
      ? await cli.runProcess(args, { env: environmentFor({ thread: 'reader', trace }) })
      : await cli.runWith(args, { script: binary });
    // Several threads may share a check, so that only an import is sure to have this thread.
    if (command === 'import') expect(existsSync(trace)).toBe(inThread);
    const plan = join(cli.cwd, out, 'plan.csv');
    ended.push({
      ...{ code, said: steady(stdout + stderr), reports: reportsIn(out) },
      plan: existsSync(plan) ? steady(readFileSync(plan, 'utf8')) : undefined,
    });
  }
  const products = cli.products().map(({ _id, createdAt, updatedAt, ...rest }) => JSON.stringify(rest));
  return {
    ended,
    products: products.sort(),
  };
}

describe('the thread that reads the files changes nothing', () => {
  test.each(CASES)('about $name', async (given) => {
    const inThread = await everything(given, true);
    await cli.renew();
    const inMain = await everything(given, false);
    expect(inThread.products.length).toBeGreaterThan(0);
    expect(inThread).toEqual(inMain);
  });
});
