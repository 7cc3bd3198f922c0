import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Delivery, Json } from '../../src/model/index.ts';
import { RunStopped } from '../../src/model/index.ts';
import { runExport } from '../../src/pipeline/index.ts';
import { overridden, type Resource } from '../../src/resources/index.ts';
import { products } from '../../src/resources/products.ts';
import { temporaryFolder } from '../support/run.ts';

/** How the export of a list ends whose pages come as `deliver` gives them. */
async function stopOf(resource: Resource, deliver: (page: number) => Partial<Delivery>): Promise<RunStopped> {
  const client = {
    authenticate: async () => ({}),
    deliver: async ({ path }: { path: string }) => {
      const page = Number(new URL(path, 'http://store').searchParams.get('page'));
      return { attempts: 1, durationMs: 1, ...deliver(page) } as Delivery;
    },
  };
  const work = runExport({
    resource,
    out: join(temporaryFolder(), 'out.csv'),
    format: 'csv',
    filters: [],
    raw: false,
    connect: async () => ({ client, concurrency: 1 }),
    interrupted: new AbortController().signal,
    onProgress: () => {},
  });
  const error = await work.then(
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

describe('a list that the API document does not show', () => {
  test.each([
    ['an object', answers({ status: 'success', data: { _id: 'a' } }), 'not-the-api'],
    ['a refusal', rejects, 'not-the-api'],
    ['a failure', fails, 'store-unreachable'],
  ] as const)(
    'says so, and what can be done, where the store answers with %s',
    async (_what, deliver, why) => {
      const { reason, message, hints } = await stopOf(products, deliver);
      expect(reason).toBe(why);
      expect(message).toContain('/api/products');
      expect(hints).toEqual([
        'The API document names /api/products and does not show its answer: not every store has a list of products there.',
        'If yours has it elsewhere, write products.list.path into the section api of storeport.config.yaml: docs/configuration.md.',
      ]);
      expect((await stopOf(known, deliver)).hints).toEqual([]);
    },
  );

  test('says nothing of that where the store is gone after a page', async () => {
    const paginate = { total: 2, per_page: 1, current_page: 1, last_page: 2 };
    const page = answers({ results: [{ _id: 'a' }], paginate });
    const { reason, hints } = await stopOf(products, (number) => (number === 1 ? page() : fails()));
    expect({ reason, hints }).toEqual({ reason: 'store-unreachable', hints: [] });
  });
});
