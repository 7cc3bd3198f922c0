import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { type Delivery, type Json, type JsonObject, RunStopped } from '../../../src/model/index.ts';
import { type ExportOptions, type ExportSummary, runExport } from '../../../src/pipeline/index.ts';
import { overridden, type Resource } from '../../../src/resources/index.ts';
import { products } from '../../../src/resources/products.ts';
import { temporaryFolder } from '../../support/run.ts';

/** Exports a list whose pages `deliver` returns. */
function exporting(
  resource: Resource,
  deliver: (page: number) => Partial<Delivery>,
  more: Partial<ExportOptions> = {},
): Promise<ExportSummary> {
  const client = {
    authenticate: async () => ({}),
    deliver: async ({ path }: { path: string }) => {
      const page = Number(new URL(path, 'http://store').searchParams.get('page'));
      return { attempts: 1, durationMs: 1, ...deliver(page) } as Delivery;
    },
  };
  return runExport({
    resource,
    out: join(temporaryFolder(), 'out.csv'),
    format: 'csv',
    filters: [],
    raw: false,
    incremental: false,
    home: temporaryFolder(),
    version: '1.2.3',
    connect: async () => ({ baseUrl: 'http://store', client, concurrency: 1 }),
    interrupted: new AbortController().signal,
    onProgress: () => {},
    onWarning: () => {},
    ...more,
  });
}

async function stopOf(...given: Parameters<typeof exporting>): Promise<RunStopped> {
  const error = await exporting(...given).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error instanceof RunStopped) return error;
  throw new Error(`it did not stop: ${error}`);
}

const answers = (answer: Json) => () => ({ verdict: 'done' as const, answer });
const rejects = () => ({ verdict: 'rejected' as const, message: 'No such route.' });
const fails = () => ({ verdict: 'failed' as const, message: 'It failed (500).' });

const known = overridden(products, { list: { path: '/api/products/search' } });

describe('a list that the API document does not have', () => {
  test.each([
    ['an object', answers({ status: 'success', data: { _id: 'a' } }), 'not-the-api'],
    ['a refusal', rejects, 'not-the-api'],
    ['a failure', fails, 'store-unreachable'],
  ] as const)('gives an error with advice if the store answers with %s', async (_what, deliver, why) => {
    const { reason, message, hints } = await stopOf(products, deliver);
    expect(reason).toBe(why);
    expect(message).toContain('/api/products');
    const setting =
      'If yours has it elsewhere, write products.list.path into the section api of storeport.config.yaml: docs/configuration.md.';
    expect(hints).toEqual([
      'The API document names /api/products and does not show its answer: not every store has a list of products there.',
      setting,
    ]);
    expect((await stopOf(known, deliver)).hints).toEqual(why === 'not-the-api' ? [setting] : []);
  });

  test('gives no advice about its path if the store is unreachable after the first page', async () => {
    const paginate = { total: 2, per_page: 1, current_page: 1, last_page: 2 };
    const page = answers({ results: [{ _id: 'a' }], paginate });
    const { reason, hints } = await stopOf(products, (number) => (number === 1 ? page() : fails()));
    expect({ reason, hints }).toEqual({ reason: 'store-unreachable', hints: [] });
  });
});

describe('an additional field inside lists', () => {
  /** A product as stores return it. */
  const item: JsonObject = {
    ...{ _id: 'p1', name: 'Pot', reference: 'P', slug: 'pot', variants: [{ _id: 'v1' }] },
    quantity: { instock: 5, transporting: 0, default: null },
    images: [
      { _id: 'i1', src: 'https://img.example.com/1.jpg', title: 'Front', width: 9 },
      { _id: 'i2', src: 'https://img.example.com/2.jpg', height: 9 },
    ],
    options: [{ name: 'Colour', key: null, style: 'CHECK', values: [{ value1: 'Red', value2: '#f00' }] }],
  };
  const one = answers({ results: [item], paginate: { last_page: 1 } });
  const read = async (more: Partial<ExportOptions>) => {
    const out = join(temporaryFolder(), 'out');
    const { not_in_columns } = await exporting(products, one, { out, ...more });
    return { text: readFileSync(out, 'utf8'), not_in_columns };
  };

  test('is not in the native form, which can be imported unchanged', async () => {
    const { text, not_in_columns } = await read({});
    const [row = {}] = parse(text, { columns: true }) as Record<string, string>[];
    const { images = '', options = '', variants = '' } = row;
    expect([images, options, variants].map((cell) => JSON.parse(cell))).toEqual([
      [{ src: 'https://img.example.com/1.jpg', title: 'Front' }, { src: 'https://img.example.com/2.jpg' }],
      [{ name: 'Colour', style: 'CHECK', values: [{ value1: 'Red' }] }],
      [{ _id: 'v1' }],
    ]);
    expect(not_in_columns).toEqual({
      ...{ 'quantity.transporting': 1, slug: 1, 'options.values.value2': 1 },
      ...{ 'images._id': 1, 'images.width': 1, 'images.height': 1 },
    });
  });

  test('is in named columns, and in NDJSON', async () => {
    const { text } = await read({ columns: 'images' });
    const [row = {}] = parse(text, { columns: true }) as Record<string, string>[];
    expect(JSON.parse(row.images ?? '')).toEqual(item.images);
    const lines = await read({ format: 'ndjson' });
    expect(lines).toEqual({ text: `${JSON.stringify(item)}\n`, not_in_columns: {} });
  });
});
