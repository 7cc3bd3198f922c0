import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanBlock } from '../../../src/pipeline/blocks/clean-block.ts';
import { cleanBlocks } from '../../../src/pipeline/blocks/clean-blocks.ts';
import { createBlockMapper } from '../../../src/pipeline/blocks/map-blocks.ts';
import { readAgain } from '../../../src/pipeline/blocks/read-again.ts';
import {
  type CleanWork,
  cleanRecords,
  type RecordCleaning,
} from '../../../src/pipeline/cleaning/clean-records.ts';
import { openInputs } from '../../../src/pipeline/index.ts';
import type { ImportInputs } from '../../../src/pipeline/inputs/inputs.ts';
import { close } from '../../../src/pipeline/inputs/open-inputs.ts';
import { sourceFiles } from '../../../src/pipeline/inputs/source-files.ts';
import type { PrepareOptions } from '../../../src/pipeline/prepare/options.ts';
import { products } from '../../../src/resources/products.ts';
import { mapperOf } from '../../support/block-mapper.ts';
import { temporaryFolder } from '../../support/run.ts';

const HEADER = 'name,reference,price.salePrice,tags,Remark';

function open(file: string, keepColumns: boolean): Promise<ImportInputs> {
  return openInputs({
    ...{ resource: products, mode: 'create', files: [file], mapping: undefined, constants: {}, read: {} },
    ...{ keepColumns, onWarning: () => {} },
  });
}

async function cleaned(inputs: ImportInputs, clean: (options: PrepareOptions) => RecordCleaning) {
  const warnings: string[] = [];
  const { batches, findings } = clean({
    ...{ resource: products, mode: 'create', dryRun: false, offset: 0, maskContacts: false },
    ...{ fromSettings: {}, spillFolder: tmpdir(), onPrepared: () => {} },
    onWarning: (message) => void warnings.push(message),
  });
  const all = { planned: 0, others: [] as unknown[], clean: '', rejects: { long: '', short: '' } };
  for await (const batch of batches()) {
    all.planned += batch.planned;
    all.others.push(...batch.others);
    all.clean += batch.clean;
    all.rejects.long += batch.rejects.long;
    all.rejects.short += batch.rejects.short ?? '';
  }
  await close(inputs);
  return { ...all, warnings, files: sourceFiles(inputs.files, { offset: 0 }), found: findings() };
}

/** Cleans a file in one thread and in blocks of this size. */
async function bothWays(content: string, blockBytes: number, options: Partial<CleanWork> = {}) {
  const file = join(temporaryFolder(), 'in.csv');
  writeFileSync(file, content);
  const work: CleanWork = {
    ...{ run: 'r1', show: 3, format: 'csv', keepColumns: false },
    ...options,
  };
  const alone = await open(file, work.keepColumns);
  const one = await cleaned(alone, (options) => cleanRecords(alone, options, work));
  const opened = await open(file, work.keepColumns);
  const inputs = readAgain(opened);
  const mapped = [await open(file, work.keepColumns), await open(file, work.keepColumns)];
  await Promise.all([opened, ...mapped].map(close));
  const several = await cleaned(inputs, (options) => {
    const mappers = mapped.map((each) => {
      const job = cleanBlock(each, products, work);
      return mapperOf(createBlockMapper(each, { ...options, onWarning: undefined }, job, true));
    });
    return cleanBlocks(inputs, options, mappers, { show: work.show, blockBytes });
  });
  return { one, several };
}

function rowsOf(count: number, row: (n: number) => string): string {
  return `${HEADER}\n${Array.from({ length: count }, (_, n) => `${row(n)}\n`).join('')}`;
}

const CASES: readonly (readonly [string, string])[] = [
  ['duplicates in other blocks', rowsOf(90, (n) => ` Product ${n} ,r-${n % 31},01.50,a|b,`)],
  ['duplicates in the same block', rowsOf(90, (n) => `Product ${n},r-${n - (n % 3)},01.50,a|b,x`)],
  [
    'invalid records',
    rowsOf(90, (n) => `${n % 7 ? `P\u200B ${n}` : ''},r-${n % 40},${n % 5 ? n : 'dear'},,`),
  ],
  [
    'a quote that is not closed, and duplicates below it',
    rowsOf(120, (n) => (n === 40 ? '"Broken,r-x,1,,' : `"Product\r\n ${n}",r-${n % 50},1,a,`)),
  ],
  ['empty rows', rowsOf(90, (n) => (n % 4 ? `=1+${n},r-${n},1,,` : ',,,,'))],
];

describe('a clean-up in blocks writes the same as one thread', () => {
  test.each(CASES)('of %s', async (_what, content) => {
    for (const blockBytes of [120, 700]) {
      const { one, several } = await bothWays(content, blockBytes);
      expect(one.planned).toBeGreaterThan(0);
      expect(one.others.length + one.files.length).toBeGreaterThan(0);
      expect(several).toEqual(one);
    }
  });

  test.each<Partial<CleanWork>>([{ format: 'ndjson' }, { keepColumns: true }, { csv: { delimiter: ';' } }])(
    'with the options %j',
    async (options) => {
      const { one, several } = await bothWays(CASES[3]?.[1] ?? '', 300, options);
      expect(several).toEqual(one);
    },
  );
});
