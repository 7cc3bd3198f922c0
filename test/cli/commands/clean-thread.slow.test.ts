import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { flawedProducts, PADDING, THREAD_ROWS as ROWS } from '../../support/flawed-products.ts';
import { interruptOnceThere } from '../../support/interrupt.ts';
import {
  binary,
  type ProcessOptions,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

// Large files are cleaned by a thread, or by several together. Each case is cleaned with and without them: a command within the
// process of the tests has no threads.

/** Products with blanks and invisible characters, some in several rows that are apart. */
function groupedRows(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const product = n % 100 === 99 ? n - 90 : n - (n % 3);
    const name = n % 7 === 0 ? ` Product\u200B ${product} ` : `Product ${product}`;
    return `P${product},${name},${n},v${n},${PADDING}`;
  });
  return `Id,Name,Price,Variant,Text\n${rows.join('\n')}\n`;
}

const GROUPS = `resource: products
group: { by: Id }
fields:
  reference: Id
  name: Name
  html: Text
  price.salePrice: { from: Price, number: true, across: min }
  variants: { each: row, fields: { name: Variant } }
`;

/** `isShared`: several threads can clean the file together. */
const CASES: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly isShared?: boolean;
}[] = [
  { name: 'CSV in the native form', args: ['a.csv', '--out', 'clean.csv', '--show', '3'], isShared: true },
  {
    name: 'its own columns, packed',
    args: ['k.csv', '--out', 'clean.csv.gz', '--keep-columns', '--json'],
    isShared: true,
  },
  { name: 'a part of it', args: ['a.csv', '--out', 'clean.ndjson', '--offset', '9', '--limit', '740'] },
  { name: 'two files, one packed', args: ['a.csv', 'b.csv.gz', '--out', 'clean.json', '--json'] },
  { name: 'rows that are apart', args: ['g.csv', '--mapping', 'g.yaml', '--out', 'clean.csv', '--json'] },
  { name: 'JSON', args: ['a.json', '--out', 'clean.csv', '--out-delimiter', ';', '--out-bom'] },
  {
    name: 'standard output',
    args: ['a.csv', '--rejects', 'clean.rejects.csv', '--show', '2'],
    isShared: true,
  },
  { name: 'an array', args: ['a.csv', '--out', 'clean.json', '--json'] },
];

function folderWithFiles(): string {
  const folder = temporaryFolder();
  const items = Array.from({ length: ROWS }, (_, n) => ({
    ...{ name: `Product ${n}`, reference: `j-${n % 99 === 1 ? 0 : n}`, description: PADDING },
    ...(n % 50 === 0 ? { unknown: 'a field of no meaning' } : {}),
  }));
  const contents = {
    'a.csv': flawedProducts(ROWS, 'a').replaceAll('"Product, 2', '" Product,\u00A02'),
    // A column that no field uses, with damaged cells.
    'k.csv': flawedProducts(ROWS, 'k')
      .replace('description', 'description,Remark')
      .replaceAll('x\n', 'x,CafÃ©\n'),
    'b.csv.gz': gzipSync(flawedProducts(200, 'a')),
    'g.csv': groupedRows(),
    'g.yaml': GROUPS,
    'a.json': JSON.stringify(items),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

/**
 * Cleans with this plan, or without threads. Returns also the files that were written, in which identifiers and times are replaced.
 */
async function cleaning(
  args: readonly string[],
  plan: FaultPlan | undefined,
  options: Partial<ProcessOptions> = {},
) {
  const cwd = options.cwd ?? folderWithFiles();
  const before = new Set(readdirSync(cwd));
  const words = ['clean', 'products', ...args, '--no-progress'];
  const ended = plan
    ? await storeportProcess(words, { ...options, cwd, env: environmentFor(plan) })
    : await storeport(words, { cwd, script: binary });
  const written = readdirSync(cwd).filter((name) => !before.has(name) && name !== 'trace');
  return {
    code: ended.code,
    said: steady(ended.stdout) + steady(ended.stderr),
    files: Object.fromEntries(
      written.map((name) => [name, steady(readFileSync(join(cwd, name)).toString('latin1'))]),
    ),
  };
}

function steady(text: string): string {
  return text
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/"duration_ms":\d+/g, 'TIME')
    .replaceAll(/ in [\d.,]+ ?(?:s|ms|min)\b/g, ' in TIME')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'DATE');
}

describe('the threads that clean large files change nothing', () => {
  test.each(CASES)('about $name', async ({ args, isShared = false }) => {
    const cwd = folderWithFiles();
    const trace = join(cwd, 'trace');
    const inThread = await cleaning(args, { thread: 'reader', cores: 1, trace }, { cwd });
    expect(readTrace(trace).length).toBeGreaterThan(20);
    const inMain = await cleaning(args, undefined);
    expect(Object.keys(inThread.files).length).toBeGreaterThan(0);
    expect(inThread).toEqual(inMain);
    const others = folderWithFiles();
    const shared = join(others, 'trace');
    const together = await cleaning(args, { thread: 'mapping', cores: 4, trace: shared }, { cwd: others });
    expect(existsSync(shared)).toBe(isShared);
    expect(together).toEqual(inMain);
  });
});

describe.each([
  ['a thread', 'reader', 1, [1, 15], 'The thread that reads the files failed'],
  ['several threads', 'mapping', 4, [1, 4], 'A thread that reads the files failed'],
] as const)('a clean-up in %s', (_what, thread, cores, ends, failed) => {
  const args = ['a.csv', '--out', 'clean.csv'];

  test.each(ends)('leaves no file if one ends at message %d', async (endAt) => {
    const { code, said, files } = await cleaning(args, { thread, cores, endAt });
    expect(code).toBe(3);
    expect(said).toContain(`${failed}: it ended with 7.`);
    expect(said).toContain('Run the command again');
    expect(files).toEqual({});
  });

  test('leaves no file if it is interrupted', async () => {
    const cwd = folderWithFiles();
    writeFileSync(join(cwd, 'a.csv'), flawedProducts(12 * ROWS, 'a'));
    const trace = join(cwd, 'trace');
    const { code, files } = await cleaning(
      args,
      { thread, cores, trace },
      { cwd, onStart: interruptOnceThere(trace) },
    );
    expect(code).toBe(130);
    expect(files).toEqual({});
  });
});
