import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStoreClient, exportRecords, type Review, suggestMapping } from '../../src/library/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 350 });
});
afterEach(() => sandbox.close());

const store = () => ({
  baseUrl: sandbox.url,
  clientId: sandbox.clientId,
  clientSecret: sandbox.clientSecret,
});

async function idsOf(items: AsyncIterable<Review>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id } of items) ids.push(_id);
  return ids;
}

const storedIds = () => (sandbox.records('reviews') as { _id: string }[]).map(({ _id }) => _id);

test('gives every item once, in the order of the list, and counts pages and items', async () => {
  const reviews = exportRecords({ resource: 'reviews', store: store() });
  const ids = await idsOf(reviews);
  expect(ids).toHaveLength(350);
  expect([...ids].sort()).toEqual(storedIds().sort());
  expect(await reviews.summary()).toMatchObject({ items: 350, pages: 4, unsure: 0, repeated: 0 });
});

test('filters, a limit and a date choose items', async () => {
  const best = exportRecords({ resource: 'reviews', store: store(), filters: { rating: 5 } });
  for await (const { rating } of best) expect(rating).toBe(5);
  expect((await best.summary()).items).toBeGreaterThan(10);
  const some = exportRecords({ resource: 'reviews', store: store(), limit: 7 });
  expect(await idsOf(some)).toHaveLength(7);
  const none = exportRecords({ resource: 'reviews', store: store(), since: '2999-01-01' });
  expect(await none.summary()).toMatchObject({ items: 0, early: 350 });
});

test('a filter that the API does not have is refused before anything is sent', async () => {
  const wrong = exportRecords({ resource: 'reviews', store: store(), filters: { stars: 5 } });
  await expect(wrong.summary()).rejects.toMatchObject({ name: 'ConfigError' });
  expect(sandbox.journal).toEqual([]);
});

test('leaving the loop ends the requests', async () => {
  for await (const _review of exportRecords({ resource: 'reviews', store: store() })) break;
  const sent = sandbox.journal.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sandbox.journal.length).toBe(sent);
});

test('a signal ends an export with a reason', async () => {
  const abort = new AbortController();
  const reviews = exportRecords({ resource: 'reviews', store: store(), signal: abort.signal });
  const loop = async () => {
    for await (const _review of reviews) abort.abort();
  };
  await expect(loop()).rejects.toMatchObject({ name: 'RunStopped', reason: 'interrupted' });
});

test('a list that cannot be read to its end is an error, not a shorter list', async () => {
  sandbox.misbehave({ redirect: '#2@list' });
  await expect(idsOf(exportRecords({ resource: 'reviews', store: store() }))).rejects.toMatchObject({
    name: 'RunStopped',
  });
});

test('a client sends single requests and says what the store answered', async () => {
  const client = createStoreClient(store());
  const made = await client.create('products', { name: 'Mug', reference: 'M-1' });
  expect(made).toMatchObject({ verdict: 'done', httpStatus: 200, attempts: 1 });
  expect(await client.create('products', { reference: 'M-2' } as never)).toMatchObject({
    verdict: 'rejected',
  });
  expect(await client.update('products', made.id ?? '', { name: 'Cup' })).toMatchObject({ verdict: 'done' });
  await expect(client.update('customers', 'x', { note: 'VIP' })).rejects.toThrow('cannot update customers');
  await client.close();
  expect(sandbox.records('products')).toMatchObject([{ _id: made.id, name: 'Cup' }]);
});

test('an answer that is lost leaves a create in doubt, and it is not sent again', async () => {
  sandbox.misbehave({ 'late-reset': '#1@create' });
  const client = createStoreClient(store());
  expect(await client.create('products', { name: 'Mug', reference: 'M-1' })).toMatchObject({
    verdict: 'in-doubt',
  });
  await client.close();
  expect(sandbox.count('products')).toBe(1);
});

test('a signal ends the requests of a client that wait, and suggestions', async () => {
  sandbox.misbehave({ 'error-503-json': '100%@create' });
  const abort = new AbortController();
  const client = createStoreClient({ ...store(), signal: abort.signal });
  const waiting = client.create('products', { name: 'Mug', reference: 'M-1' });
  while (!sandbox.journal.some(({ kind }) => kind === 'create')) await new Promise(setImmediate);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toMatchObject({ name: 'RunStopped', reason: 'interrupted' });
  await client.close();
  await expect(suggestMapping('none.csv', { signal: abort.signal })).rejects.toThrow('enough');
});
