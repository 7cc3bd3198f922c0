import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { checkBlock } from '../../../src/pipeline/blocks/block-job.ts';
import { checkBlocks } from '../../../src/pipeline/blocks/check-blocks.ts';
import { createBlockMapper } from '../../../src/pipeline/blocks/map-blocks.ts';
import { readAgain } from '../../../src/pipeline/blocks/read-again.ts';
import { type CheckedResult, checkRecords } from '../../../src/pipeline/check/check-records.ts';
import { openInputs } from '../../../src/pipeline/index.ts';
import type { ImportInputs } from '../../../src/pipeline/inputs/inputs.ts';
import { close } from '../../../src/pipeline/inputs/open-inputs.ts';
import { sourceFiles } from '../../../src/pipeline/inputs/source-files.ts';
import type { PrepareOptions } from '../../../src/pipeline/prepare/options.ts';
import { products } from '../../../src/resources/products.ts';
import { mapperOf } from '../../support/block-mapper.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { temporaryFolder } from '../../support/run.ts';

const MAPPING = `resource: products
skip: { when: { reference: Total } }
fields:
  name: name
  reference: reference
  price.salePrice: { from: price, number: true }
  description: text
  images:
    - each: { image: { from: image, across: lead } }
      when: { '{image}': { is-not: none } }
      needs: src
      fields: { src: { from: '{image}', url: true } }
  status:
    - { const: DRAFT, when: { price: { empty: true } }, warn: No price is a draft. }
    - { const: PUBLISH, when: { name: Never }, warn: It is never. }
    - { const: PUBLISH }
`;
const HEADER = 'name,reference,price,text,image,Remark,Rest';
const IDENTIFIED = 'name,reference,price,text,image,Remark,_id';

/** Everything that a check finds in a file. */
async function findings(
  inputs: ImportInputs,
  check: (options: PrepareOptions) => {
    results(): AsyncGenerator<CheckedResult[]>;
    findings(): unknown;
  },
) {
  const warnings: string[] = [];
  let prepared = 0;
  const { results, findings: found } = check({
    ...{ resource: products, mode: 'upsert', dryRun: true, offset: 0, maskContacts: false },
    ...{ fromSettings: {}, spillFolder: tmpdir() },
    onWarning: (message) => void warnings.push(message),
    onPrepared: (records) => {
      prepared += records;
    },
  });
  const all: CheckedResult[] = [];
  let failed: string | undefined;
  try {
    for await (const batch of results()) all.push(...batch);
  } catch (error) {
    failed = (error as Error).message;
  }
  await close(inputs);
  const files = sourceFiles(inputs.files, { offset: 0 }).map(({ suspicious, warnings: noted, ...file }) => ({
    ...file,
    suspicious,
    noted,
  }));
  return { all, warnings, prepared, failed, files, found: found() };
}

function open(file: string, mapping: string | undefined): Promise<ImportInputs> {
  return openInputs({
    ...{ resource: products, mode: 'upsert', files: [file], mapping, constants: {}, read: {} },
    onWarning: () => {},
  });
}

/** Checks a file in one thread, and in blocks of this size with this number of mappers. */
async function bothWays(
  content: Buffer | string,
  { blockBytes, threads = 2, isNative = false }: { blockBytes: number; threads?: number; isNative?: boolean },
) {
  const folder = temporaryFolder();
  const file = join(folder, 'in.csv');
  const mapping = join(folder, 'm.yaml');
  writeFileSync(file, content);
  writeFileSync(mapping, MAPPING);
  const named = isNative ? undefined : mapping;
  const show = 5;
  const alone = await open(file, named);
  const one = await findings(alone, (options) => checkRecords(alone, options, show));
  const opened = await open(file, named);
  const inputs = readAgain(opened);
  await close(opened);
  const mapped = await Promise.all(Array.from({ length: threads }, () => open(file, named)));
  await Promise.all(mapped.map(close));
  const several = await findings(inputs, (options) => {
    const mappers = mapped.map((each) =>
      mapperOf(createBlockMapper(each, { ...options, onWarning: undefined }, checkBlock, false)),
    );
    return checkBlocks(inputs, options, mappers, { show, blockBytes });
  });
  return { one, several };
}

function rowsOf(count: number, row: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => row(n)).join('');
}

const plain = (n: number) => `Product ${n},r-${n},${n}.5,Text,a.png,,\n`;

describe('a check in blocks says the same as one thread', () => {
  test.each([
    ['of a file with a single block', `${HEADER}\n${rowsOf(4, plain)}`],
    ['of a file without rows', `${HEADER}\n`],
    ['of a file with only empty rows', `${HEADER}\n${rowsOf(40, () => ',,,,,,\n')}`],
    ['of duplicates in other blocks', `${HEADER}\n${rowsOf(90, (n) => plain(n % 31))}`],
    [
      'of invalid records in other blocks, before and after valid ones of the same key',
      `${HEADER}\n${rowsOf(90, (n) => (n % 7 === 3 ? `,r-${n % 20},dear,,,,\n` : plain(n % 20)))}`,
    ],
    [
      'of identifiers that are used twice or are none',
      `${IDENTIFIED}\n${rowsOf(90, (n) => `P ${n},r-${n},1,,,,${n % 11 === 0 ? 'no id/' : `65f0000000000000000000${10 + (n % 40)}`}\n`)}`,
      true,
    ],
    [
      'of cells with line breaks',
      `${HEADER}\n${rowsOf(90, (n) => `"A\n""b""\r\n${n}",r-${n},1,"\n\n",,,\n`)}`,
    ],
    ['of quotes that are text', `${HEADER}\n${rowsOf(90, (n) => `Screen 15",r-${n},1,5" or 6",,,\n`)}`],
    [
      'of a quote that is not closed in the middle',
      `${HEADER}\n${rowsOf(50, plain)}"Broken,r-x,1,,,,\n${rowsOf(50, (n) => plain(n + 45))}`,
    ],
    [
      'of many warnings',
      `${HEADER}\n${rowsOf(90, (n) => (n % 2 ? `P ${n},r-${n},,,,,\n` : `P ${n},,1,,,,\n`))}`,
    ],
    [
      'of empty rows and rows that are left out',
      `${HEADER}\n${rowsOf(90, (n) => (n % 5 === 0 ? ',,,,,,\n' : n % 7 === 0 ? 'x,Total,,,,,\n' : n % 11 === 0 ? '\n' : plain(n)))}`,
    ],
    [
      'of suspicious cells',
      `${HEADER}\n${rowsOf(90, (n) => `CafÃ© ${n},r-${n},1,${n % 3 ? '1.2E+11' : '#N/A'},,CafÃ©,\n`)}`,
    ],
    [
      'of unused columns whose first cell is late',
      `${HEADER}\n${rowsOf(1100, (n) => `P ${n},r-${n},1,,,${n === 999 ? 'late' : ''},${n === 1000 ? 'too late' : ''}\n`)}`,
    ],
    ['of lines that end with CR', `${HEADER}\r${rowsOf(90, (n) => plain(n).replace('\n', '\r'))}`],
    ['of ragged rows', `${HEADER}\n${rowsOf(90, (n) => (n % 13 === 5 ? `a,r-${n}\n` : plain(n)))}`],
    ['of bytes that are none', Buffer.from(`${HEADER}\n${rowsOf(90, plain)}`).fill(0xff, 900, 901)],
    ['of a last row without line end', `${HEADER}\n${rowsOf(30, plain)}last,r-last,1,"a",,,`],
    ['of a last cell whose quote is not closed', `${HEADER}\n${rowsOf(30, plain)}last,r-last,1,"a,,,`],
  ] as [string, string | Buffer, boolean?][])('%s', async (_what, content, isNative = false) => {
    for (const blockBytes of [150, 1000]) {
      const { one, several } = await bothWays(content, { blockBytes, isNative });
      expect(one.all.length + one.files.length).toBeGreaterThan(0);
      expect(several).toEqual(one);
    }
  });

  test.each([
    ['utf16le', true],
    ['utf16be', true],
    ['utf8', true],
    ['win1252', false],
    ['cp437', false],
  ])('about a file in %s', async (encoding, addBOM) => {
    const text = `${HEADER}\n${rowsOf(120, (n) => `Größe ${n},r-${n % 90},${n},"é\nü",,Süß,\n`)}`;
    const content = iconv.encode(text, encoding, { addBOM });
    const { one, several } = await bothWays(content, { blockBytes: 400, threads: 3 });
    expect(one.all.length).toBe(120);
    expect(several).toEqual(one);
  });

  test('about a file in which too many quotes are broken', async () => {
    const content = `${HEADER}\n${rowsOf(1200, (n) => `"P" ${n},r-${n},1,,,,\n`)}`;
    const { one, several } = await bothWays(content, { blockBytes: 1000 });
    expect(one.failed).toContain('was not read beyond line 1002');
    expect(several.failed).toBe(one.failed);
  });

  test.each([400, 100_000])('about a file whose end is lost, in blocks of %d bytes', async (blockBytes) => {
    const packed = gzipSync(`${HEADER}\n${rowsOf(6000, plain)}`, { level: 0 });
    const { one, several } = await bothWays(packed.subarray(0, 150_000), { blockBytes });
    expect(one.all.length).toBeGreaterThan(1000);
    expect(one.failed).toBeDefined();
    expect(several).toEqual(one);
  });

  const CELLS = [
    'a',
    'r-1',
    'r-2',
    '5',
    '',
    ' ',
    '"a,b"',
    '"x\ny"',
    '"say ""hi"""',
    '15"',
    ' "p" ',
    'CafÃ©',
    'é',
  ];
  const ROWS = [
    fc.array(fc.constantFrom(...CELLS), { minLength: 7, maxLength: 7 }).map((cells) => cells.join(',')),
    fc.nat(30).map((n) => `P,r-${n},${n},t,i,m,x`),
    fc.constantFrom('', ',,,,,,', 'x,Total,,,,,', '"', '"a,b', 'a,"b"c,d', 'a,b', `"${'long '.repeat(40)}"`),
  ];
  const row = fc.oneof({ weight: 4, arbitrary: ROWS[1]! }, ROWS[0]!, ROWS[2]!);
  const content = fc
    .array(fc.tuple(row, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')), { maxLength: 60 })
    .map((rows) => `${HEADER}\n${rows.flat().join('')}`);

  test('of any file, in blocks of any size', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(
      content,
      fc.integer({ min: 10, max: 500 }),
      fc.integer({ min: 1, max: 4 }),
      async (text, blockBytes, threads) => {
        const { one, several } = await bothWays(text, { blockBytes, threads });
        expect(several).toEqual(one);
      },
    );
    await fc.assert(property, { numRuns: scaledRuns(150) });
  });
});
