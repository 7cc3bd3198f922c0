import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/index.ts';
import {
  parseJson,
  readComplaint,
  readId,
  saysFailed,
  saysSucceeded,
} from '../../../src/store/response/body.ts';

describe('the identifier in an answer', () => {
  const cases: readonly [string, Json, string | undefined][] = [
    ['in the documented envelope', { status: 'success', data: { _id: 'a' } }, 'a'],
    ['result', { result: { _id: 'a' } }, 'a'],
    ['under a name that the request does not give', { customer: { _id: 'a' } }, undefined],
    ['in a bare record', { _id: 'a', name: 'x' }, 'a'],
    ['in data rather than the others', { data: { _id: 'a' }, result: { _id: 'b' }, _id: 'c' }, 'a'],
    ['in a bare order, not in its customer', { _id: 'a', customer: { _id: 'b' } }, 'a'],
    ['in an order without one, not in its customer', { orderId: 7, customer: { _id: 'b' } }, undefined],
    ['a number', { data: { _id: 17 } }, '17'],
    ['a number that lost digits', { data: { _id: 2 ** 53 } }, undefined],
    ['an empty identifier', { data: { _id: '' } }, undefined],
    ['an object as identifier', { data: { _id: { $oid: 'a' } } }, undefined],
    ['a list', [{ _id: 'a' }], undefined],
    ['nothing', null, undefined],
    ['a very long identifier', { _id: 'x'.repeat(300) }, undefined],
  ];
  for (const [what, answer, id] of cases) {
    test(`${what}: ${id ?? 'none'}`, () => expect(readId(answer)).toBe(id));
  }
});

describe('the identifier under names that a request gives', () => {
  const names = ['data', 'result', 'customer'];
  const cases: readonly [string, Json, string | undefined][] = [
    ['follows their order', { customer: { _id: 'c' }, result: { _id: 'r' } }, 'r'],
    ['may be the name of a resource', { status: 'success', customer: { _id: 'c' } }, 'c'],
    ['is the next one if the first has none', { data: { name: 'x' }, customer: { _id: 'c' } }, 'c'],
    ['precedes a bare record', { _id: 'bare', customer: { _id: 'c' } }, 'c'],
    ['may be absent, so a bare record is used', { _id: 'bare', user: { _id: 'u' } }, 'bare'],
  ];
  for (const [what, answer, id] of cases) {
    test(what, () => expect(readId(answer, names)).toBe(id));
  }
});

describe('a 2xx answer with a body that reports a failure', () => {
  const failed: Json[] = [
    { status: 'error' },
    { status: 'FAILED', message: 'x' },
    { status: false },
    { status: 422, message: 'x' },
    { success: false },
    { error: 'x' },
    { errors: [{ reason: 'x' }] },
    { status: 'success', errors: ['x'] },
  ];
  for (const answer of failed) {
    test(`${JSON.stringify(answer)} does`, () => expect(saysFailed(answer)).toBe(true));
  }
  const fine: Json[] = [
    { status: 'success', data: { _id: 'a' } },
    { status: 'success', data: { _id: 'a' }, errors: [] },
    { _id: 'a', status: 'FAILED' },
    { status: 'DRAFT' },
    { error: null, data: { _id: 'a' } },
    [],
    null,
  ];
  for (const answer of fine) {
    test(`${JSON.stringify(answer)} does not`, () => expect(saysFailed(answer)).toBe(false));
  }
  test('a 2xx answer reports success only with an explicit word', () => {
    expect(saysSucceeded({ status: 'success' })).toBe(true);
    expect(saysSucceeded({ success: true })).toBe(true);
    expect(saysSucceeded({ status: 'success', error: 'x' })).toBe(false);
    expect(saysSucceeded({ status: 'DRAFT' })).toBe(false);
    expect(saysSucceeded({})).toBe(false);
  });
});

describe('the message of the store', () => {
  const cases: readonly [Json | undefined, string | undefined, object][] = [
    [{ message: 'no name' }, '', { message: 'no name' }],
    [{ error: 'no name' }, '', { message: 'no name' }],
    [{ error: { message: 'no name', field: 'name' } }, '', { message: 'no name', field: 'name' }],
    [{ errors: [{ field: 'name', reason: 'is missing' }] }, '', { message: 'is missing', field: 'name' }],
    [
      { message: 'bad', errors: [{ path: ['price', 'salePrice'] }] },
      '',
      { message: 'bad', field: 'price.salePrice' },
    ],
    [
      { errors: [{ path: '/price/salePrice', message: 'bad' }] },
      '',
      { message: 'bad', field: 'price.salePrice' },
    ],
    [{ errors: { name: 'is missing' } }, '', { message: 'is missing', field: 'name' }],
    [{ errors: { name: ['is missing'] } }, '', { message: 'is missing', field: 'name' }],
    [{ errors: ['is missing'] }, '', { message: 'is missing' }],
    ['no', '"no"', { message: 'no' }],
    [undefined, 'Bad\r\n  Request', { message: 'Bad Request' }],
    [undefined, '<html><title>404 Not Found</title>', { message: '404 Not Found' }],
    [undefined, '<!doctype html><p>x', {}],
    [{ message: 5, errors: 7 }, '', {}],
    [{ message: '\u001b[31mred\u0007' }, '', { message: '[31mred' }],
  ];
  for (const [answer, body, complaint] of cases) {
    test(`${JSON.stringify(answer ?? body)}`, () => expect(readComplaint(answer, body)).toEqual(complaint));
  }

  test('is cut to a length that fits a report', () => {
    expect(readComplaint({ message: 'x'.repeat(1e6) }, '').message).toHaveLength(501);
  });
});

test('parsing an answer of the store never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (body) => {
      const answer = parseJson(body);
      readId(answer);
      saysFailed(answer);
      saysSucceeded(answer);
      readComplaint(answer, body);
    }),
  );
  for (const body of [
    '{"__proto__":{"_id":"x"}}',
    '{"constructor":{"_id":"x"},"data":null}',
    '\ufeff{}',
    '"\ud800"',
  ]) {
    readComplaint(parseJson(body), body);
  }
});

test('an identifier with more digits than a double has is read unchanged', () => {
  expect(readId(parseJson('{"data":{"_id":9007199254740993}}'))).toBe('9007199254740993');
  expect(readId(parseJson('{"data":{"_id":9007199254740991}}'))).toBe('9007199254740991');
});
