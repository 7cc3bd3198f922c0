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

// Several threads check a large file together. Each case is checked by them, by one thread, and without any: a command within the
// process of the tests has no threads.

const HEADER = 'name,reference,price.salePrice,description,Remark\n';

function rows(row: (n: number) => string): string {
  return HEADER + Array.from({ length: ROWS }, (_, n) => `${row(n)}\n`).join('');
}

interface Case {
  readonly name: string;
  readonly content: string | Buffer;
  /** Default: none, since the columns are in the native form. */
  readonly mapping?: string | undefined;
}

const CHECKS = `resource: products
fields: { name: name, reference: reference, price.salePrice: { from: price.salePrice, number: true }, description: description }
checks:
  - { that: "price.salePrice % 7 != 3", message: "The price is odd." }
  - { that: "$not($contains(reference, '11'))", warn: "The reference is odd." }
`;

const CASES: readonly Case[] = [
  { name: 'checks of the mapping', content: flawedProducts(ROWS, 'a'), mapping: CHECKS },
  { name: 'mistakes of every kind', content: flawedProducts(ROWS, 'a') },
  { name: 'a packed file', content: gzipSync(flawedProducts(ROWS, 'a'), { level: 0 }) },
  {
    name: 'cells with line breaks and doubled quotes',
    content: rows((n) => `"Product\n""${n}""\r\n",ref-${n % 770},${n},"${PADDING}\n\n",`),
  },
  {
    name: 'a quote that is not closed',
    content: rows((n) => `${n === 370 ? '"' : ''}Product ${n},ref-${n % 770},${n},${PADDING},x`),
  },
  {
    name: 'UTF-16',
    content: Buffer.from(
      `\uFEFF${rows((n) => `Größe ${n},ref-${n % 770},${n % 9 ? n : 'teuer'},${PADDING},CafÃ©`)}`,
      'utf16le',
    ),
  },
  {
    name: 'Windows-1252 from far down',
    content: Buffer.from(
      rows((n) => `${n < 770 ? 'Product' : 'Größe'} ${n},ref-${n},${n},${PADDING},x`),
      'latin1',
    ),
  },
  {
    name: 'a packed file with other bytes at its end',
    content: Buffer.concat([gzipSync(flawedProducts(ROWS, 'a'), { level: 0 }), Buffer.from('other bytes')]),
  },
  {
    name: 'Windows-1252 and empty rows',
    content: Buffer.from(
      rows((n) => (n % 40 === 9 ? ',,,,' : `Größe ${n},ref-${n},${n % 70 ? n : ''},${PADDING},Süß`)),
      'latin1',
    ),
  },
];

/** Checks with this plan, or without threads. Returns all that was said and written, without identifiers and times. */
async function checking(
  content: string | Buffer,
  plan: FaultPlan | undefined,
  { mapping, ...options }: Partial<ProcessOptions> & Pick<Case, 'mapping'> = {},
) {
  const cwd = options.cwd ?? temporaryFolder();
  writeFileSync(join(cwd, 'a.csv'), content);
  // Progress is printed every five seconds.
  const args = ['validate', 'products', 'a.csv', '--out', 'out', '--show', '3', '--no-progress'];
  if (mapping !== undefined) {
    writeFileSync(join(cwd, 'm.yaml'), mapping);
    args.push('--mapping', './m.yaml');
  }
  const { code, stdout, stderr } = plan
    ? await storeportProcess(args, { ...options, cwd, env: environmentFor(plan) })
    : await storeport(args, { cwd, script: binary });
  const written = existsSync(join(cwd, 'out')) ? readdirSync(join(cwd, 'out')) : [];
  const files = written.map((name) => [name, steady(readFileSync(join(cwd, 'out', name), 'utf8'))] as const);
  return { code, said: steady(stdout) + steady(stderr), files: Object.fromEntries(files) };
}

function steady(text: string): string {
  return text
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/"(?:duration_ms|records_per_second)": ?[\d.]+/g, 'TIME')
    .replaceAll(/"activity": ?\{[^}]*\}/g, 'ACTIVITY')
    .replaceAll(/ in [\d.,]+ ?(?:s|ms|min)\b/g, ' in TIME')
    .replaceAll(/[\d.,]+ (?:records )?a second/g, 'RATE')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'DATE')
    .replaceAll(/\/tmp\/[\w-]+/g, 'FOLDER');
}

describe('threads that check a file together change nothing', () => {
  test.each(CASES)('about $name', async ({ content, mapping }) => {
    const cwd = temporaryFolder();
    const trace = join(cwd, 'trace');
    const together = await checking(content, { cores: 3, thread: 'mapping', trace }, { cwd, mapping });
    expect(readTrace(trace).length).toBeGreaterThan(5);
    expect(Object.keys(together.files)).toContain('plan.csv');
    expect(together).toEqual(await checking(content, { hidden: 'mapping-worker.cjs' }, { mapping }));
    expect(together).toEqual(await checking(content, undefined, { mapping }));
  });
});

describe('a check by several threads', () => {
  const content = flawedProducts(ROWS, 'a');

  test.each([1, 3])(
    'stops if one of them ends at its message %d, with what was checked before',
    async (endAt) => {
      const { code, said, files } = await checking(content, { cores: 3, thread: 'mapping', endAt });
      expect(code).toBe(3);
      expect(said).toContain('A thread that reads the files failed: it ended with 7.');
      expect(said).not.toMatch(/^\s+at .*:\d+/m);
      expect(files['summary.json']).toContain('internal-error');
    },
  );

  test('ends when it is interrupted', async () => {
    const cwd = temporaryFolder();
    const trace = join(cwd, 'trace');
    const plan = { cores: 3, thread: 'mapping', trace } as const;
    const { code, files } = await checking(flawedProducts(20 * ROWS, 'a'), plan, {
      cwd,
      onStart: interruptOnceThere(trace),
    });
    expect(code).toBe(130);
    expect(files['summary.json']).toContain('interrupted');
  });

  test('is one by a single thread if rows depend on those above', async () => {
    const cwd = temporaryFolder();
    const trace = join(cwd, 'trace');
    const mapping =
      'resource: products\ngroup: { by: reference }\nfields: { name: name, reference: reference }\n';
    writeFileSync(join(cwd, 'm.yaml'), mapping);
    writeFileSync(join(cwd, 'a.csv'), content);
    const env = environmentFor({ cores: 3, thread: 'mapping', trace });
    await storeportProcess(['validate', 'products', 'a.csv', '--mapping', 'm.yaml', '--out', 'out'], {
      cwd,
      env,
    });
    expect(existsSync(trace) ? readTrace(trace) : []).toEqual([]);
    expect(existsSync(join(cwd, 'out', 'summary.json'))).toBe(true);
  });
});
