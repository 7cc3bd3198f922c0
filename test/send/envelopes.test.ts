import { describe, expect, test } from 'vitest';
import type { JsonObject, Operation } from '../../src/model/index.ts';
import { importable, overridden, type Resource, resourceNamed } from '../../src/resources/index.ts';
import { requestFor } from '../../src/send/index.ts';
import { httpStore } from '../support/http-store.ts';
import { testClient } from '../support/store/client.ts';

/** What becomes of an operation when the store answers so. */
async function outcomeOf(resource: Resource, operation: Operation, answer: JsonObject) {
  const store = await httpStore(() => answer);
  const client = testClient({ baseUrl: store.url });
  const { verdict, id, code } = await client.deliver(requestFor(resource, operation, ''));
  return { verdict, id, code };
}

const CREATE: Operation = { kind: 'create', payload: {} };
const UPDATE: Operation = { kind: 'update', id: 'known', payload: {} };

/** What is seen of the API, in the order of preference: each form of the answer, with the id in it. */
function answersOf({ singular }: Resource): Record<string, JsonObject> {
  return {
    data: { status: 'success', data: { _id: 'in-data', name: 'x' } },
    result: { result: { _id: 'in-result', name: 'x' } },
    named: { [singular]: { _id: 'in-named', name: 'x' } },
    bare: { _id: 'in-bare', name: 'x' },
  };
}
const FORMS = ['data', 'result', 'named', 'bare'];

/** All resources can be created; where the API has no update, the request of a store that has one is made. */
const updatable = importable.map((resource) =>
  resource.update
    ? resource
    : overridden(resource, { update: { method: 'PUT', path: '/api/update', idParam: 'id' } }),
);

describe.each(updatable)('$name', (resource) => {
  test.each(FORMS)('the id of what was created is read from %s', async (form) => {
    const answer = answersOf(resource)[form] as JsonObject;
    expect(await outcomeOf(resource, CREATE, answer)).toEqual({ verdict: 'done', id: `in-${form}` });
  });

  test.each(FORMS)('the id of what was updated is read from %s', async (form) => {
    const answer = answersOf(resource)[form] as JsonObject;
    expect(await outcomeOf(resource, UPDATE, answer)).toEqual({ verdict: 'done', id: `in-${form}` });
  });

  test.each(FORMS.slice(0, -1).map((form, index) => [form, FORMS.slice(index)] as const))(
    '%s counts before what comes after it',
    async (form, from) => {
      const forms = answersOf(resource);
      // Written last to first, so that it is not their order in the answer that counts.
      const all = Object.assign({}, ...from.toReversed().map((each) => forms[each])) as JsonObject;
      expect(await outcomeOf(resource, CREATE, all)).toEqual({ verdict: 'done', id: `in-${form}` });
    },
  );

  test('a number is an id', async () => {
    const answer = { status: 'success', data: { _id: 4711 } };
    expect(await outcomeOf(resource, CREATE, answer)).toEqual({ verdict: 'done', id: '4711' });
  });

  test('what is created without an id is in doubt; an update needs no more than a word of success', async () => {
    const answer = { status: 'success', data: { name: 'x' } };
    expect(await outcomeOf(resource, CREATE, answer)).toMatchObject({ verdict: 'in-doubt' });
    expect(await outcomeOf(resource, UPDATE, answer)).toMatchObject({ verdict: 'done' });
  });

  test('the id of something inside the record is not the id of the record', async () => {
    const answer = { status: 'success', another: { _id: 'not-this' } };
    expect(await outcomeOf(resource, CREATE, answer)).toMatchObject({ verdict: 'in-doubt' });
  });
});

test.each([
  ['in data', { status: 'success', data: { _id: 'the-order', customer: { _id: 'its-customer' } } }],
  ['bare', { _id: 'the-order', orderId: 7, customer: { _id: 'its-customer' } }],
  ['by name', { order: { _id: 'the-order', customer: { _id: 'its-customer' } } }],
])("an order %s has its own id, not its customer's", async (_form, answer) => {
  expect(await outcomeOf(resourceNamed('orders'), CREATE, answer)).toEqual({
    verdict: 'done',
    id: 'the-order',
  });
});

test('of an order without an id its customer tells nothing', async () => {
  const answer = { status: 'success', orderId: 7, customer: { _id: 'its-customer' }, details: [] };
  expect(await outcomeOf(resourceNamed('orders'), CREATE, answer)).toEqual({
    verdict: 'in-doubt',
    code: 'accepted-unreadable',
  });
});

test('names of a store of its own count instead', async () => {
  const products = overridden(resourceNamed('products'), { envelopes: ['item'] });
  const answer = { item: { _id: 'its-own' }, data: { _id: 'not-this' } };
  expect(await outcomeOf(products, CREATE, answer)).toEqual({ verdict: 'done', id: 'its-own' });
});
