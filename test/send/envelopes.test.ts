import { describe, expect, test } from 'vitest';
import type { JsonObject, Operation } from '../../src/model/index.ts';
import { importable, overridden, type Resource, resourceNamed } from '../../src/resources/index.ts';
import { requestFor } from '../../src/send/index.ts';
import { httpStore } from '../support/http-store.ts';
import { testClient } from '../support/store/client.ts';

/** The outcome of an operation after this answer of the store. */
async function outcomeOf(resource: Resource, operation: Operation, answer: JsonObject) {
  const store = await httpStore(() => answer);
  const client = testClient({ baseUrl: store.url });
  const { verdict, id, code } = await client.deliver(requestFor(resource, operation, ''));
  return { verdict, id, code };
}

const CREATE: Operation = { kind: 'create', payload: {} };
const UPDATE: Operation = { kind: 'update', id: 'known', payload: {} };

/** Observed forms of the API's answers, in the order of preference, each with its id. */
function answersOf({ singular }: Resource): Record<string, JsonObject> {
  return {
    data: { status: 'success', data: { _id: 'in-data', name: 'x' } },
    result: { result: { _id: 'in-result', name: 'x' } },
    named: { [singular]: { _id: 'in-named', name: 'x' } },
    bare: { _id: 'in-bare', name: 'x' },
  };
}
const FORMS = ['data', 'result', 'named', 'bare'];

/** All resources can be created. If the API has no update, the request of a store that has one is used. */
const updatable = importable.map((resource) =>
  resource.update
    ? resource
    : overridden(resource, { update: { method: 'PUT', path: '/api/update', idParam: 'id' } }),
);

describe.each(updatable)('$name', (resource) => {
  test.each(FORMS)('the id of a created record is read from %s', async (form) => {
    const answer = answersOf(resource)[form] as JsonObject;
    expect(await outcomeOf(resource, CREATE, answer)).toEqual({ verdict: 'done', id: `in-${form}` });
  });

  test.each(FORMS)('the id of an updated record is read from %s', async (form) => {
    const answer = answersOf(resource)[form] as JsonObject;
    expect(await outcomeOf(resource, UPDATE, answer)).toEqual({ verdict: 'done', id: `in-${form}` });
  });

  test.each(FORMS.slice(0, -1).map((form, index) => [form, FORMS.slice(index)] as const))(
    '%s counts before what comes after it',
    async (form, from) => {
      const forms = answersOf(resource);
      // Written last to first, so that their order in the answer does not decide.
      const all = Object.assign({}, ...from.toReversed().map((each) => forms[each])) as JsonObject;
      expect(await outcomeOf(resource, CREATE, all)).toEqual({ verdict: 'done', id: `in-${form}` });
    },
  );

  test('a number is accepted as an id', async () => {
    const answer = { status: 'success', data: { _id: 4711 } };
    expect(await outcomeOf(resource, CREATE, answer)).toEqual({ verdict: 'done', id: '4711' });
  });

  test('a create without an id in its answer is in doubt; an update needs only a success', async () => {
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

test('the id of its customer is not the id of an order', async () => {
  const answer = { status: 'success', orderId: 7, customer: { _id: 'its-customer' }, details: [] };
  expect(await outcomeOf(resourceNamed('orders'), CREATE, answer)).toEqual({
    verdict: 'in-doubt',
    code: 'accepted-unreadable',
  });
});

test('configured envelopes replace the default ones', async () => {
  const products = overridden(resourceNamed('products'), { envelopes: ['item'] });
  const answer = { item: { _id: 'its-own' }, data: { _id: 'not-this' } };
  expect(await outcomeOf(products, CREATE, answer)).toEqual({ verdict: 'done', id: 'its-own' });
});
