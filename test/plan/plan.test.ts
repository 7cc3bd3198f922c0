import { describe, expect, test } from 'vitest';
import type { Issue, JsonObject, OutcomeStatus, RecordResultStub } from '../../src/model/index.ts';
import {
  type CheckedRecord,
  createDigester,
  createNewerImports,
  createPlanner,
  keyOf,
  type PlanOptions,
} from '../../src/plan/index.ts';
import { customers } from '../../src/resources/customers.ts';
import { orders } from '../../src/resources/orders.ts';
import { products } from '../../src/resources/products.ts';
import { recordOf, rowsOf, tableOf } from '../support/map-rows.ts';

const rows = rowsOf(tableOf('Key'), ...Array.from({ length: 20 }, () => ['']));

/** Makes a checked record whose lead row has this number. */
function checked(row: number, payload: JsonObject, more: Partial<CheckedRecord> = {}): CheckedRecord {
  return { record: recordOf(rows.slice(row - 2, row - 1)), payload, issues: [], ...more };
}

function planner(options: Partial<PlanOptions> = {}) {
  return createPlanner({
    resource: products,
    mode: 'upsert',
    dryRun: false,
    grouping: 'by-key',
    ...options,
  }).plan;
}

const price: Issue = {
  code: 'not-a-number',
  message: '"abc" is not a number; write it like 1234.50',
  field: 'price.salePrice',
  column: 'Variant Price',
  origin: { file: 'shop.csv', row: 7, line: 12 },
};

describe('a valid record', () => {
  test.each(['create', 'upsert'] as const)('is created in the mode %s', (mode) => {
    const input = checked(2, { name: 'Tea', reference: 'T' });
    expect(planner({ mode })(input)).toMatchObject({
      record: input.record,
      key: 'T',
      operation: { kind: 'create', payload: input.payload },
    });
  });

  test('is updated by its identifier in the mode update', () => {
    expect(planner({ mode: 'update' })(checked(2, { name: 'Tea' }, { id: '66f0' }))).toMatchObject({
      key: '',
      operation: { kind: 'update', id: '66f0', payload: { name: 'Tea' } },
    });
  });

  test('that may be in the trash is restored by its status, also if nothing else differs', () => {
    const payload = { name: 'Tea', reference: 'T', status: 'PUBLISH' };
    const known = {
      ...{ run: 'r1', row: 2, id: '66f0', ref: [1, 0] as const },
      digests: createDigester()(payload),
    };
    expect(planner()(checked(2, payload, { known })).outcome).toMatchObject({ outcome: 'unchanged' });
    const trashed = { run: 'undo', sure: false };
    expect(planner()(checked(2, payload, { known, trashed })).operation).toEqual({
      ...{ kind: 'update', id: '66f0' },
      payload: { status: 'PUBLISH' },
    });
  });

  test('of an older run is not sent if a later one has its key or its identifier', () => {
    const newer = createNewerImports(products);
    newer.add([{ run: 'r9', key: ' T', id: '66f0' }]);
    newer.add([{ run: 'r8', key: 'T' }]);
    const plan = planner({ newer });
    const unsent = { outcome: 'unsent', code: 'imported-since', message: expect.stringContaining('run r9') };
    expect(plan(checked(2, { name: 'Tea', reference: 'T' })).outcome).toMatchObject(unsent);
    expect(plan(checked(3, { name: 'Pot' }, { id: '66f0' })).outcome).toMatchObject(unsent);
    expect(plan(checked(4, { name: 'Mug', reference: 'M' })).operation).toMatchObject({ kind: 'create' });
  });

  test.each([
    ['create', { kind: 'create', payload: { reference: 'T' } }],
    ['update', { kind: 'update', id: '66f0', payload: { reference: 'T' } }],
    ['upsert', { kind: 'update', id: '66f0', payload: { reference: 'T' } }],
  ] as const)('has the same operation in a dry run without earlier runs (%s)', (mode, operation) => {
    const planned = planner({ mode, dryRun: true })(checked(2, { reference: 'T' }, { id: '66f0' }));
    expect(planned.operation).toEqual(operation);
  });
});

describe('the key that the mapping names', () => {
  const plan = (more: Partial<PlanOptions> = {}) =>
    planner({ resource: orders, grouping: 'by-other', ...more });

  test('identifies records without a key in the payload, and precedes the key of the group', () => {
    expect(plan()(checked(2, {}, { namedKey: 'A-1' })).key).toBe('A-1');
    expect(plan()(checked(2, {}, { namedKey: 'A-1', groupKey: '7' })).key).toBe('A-1');
    expect(plan()(checked(2, {}, { groupKey: '7' })).key).toBe('7');
    expect(planner()(checked(2, { reference: 'T' }, { namedKey: 'A-1' })).key).toBe('T');
  });

  test('makes a duplicate if it is repeated, even in another group', () => {
    const next = plan();
    next(checked(2, {}, { namedKey: 'A-1', groupKey: '7' }));
    expect(next(checked(3, {}, { namedKey: ' A-1', groupKey: '8' })).outcome).toMatchObject({
      outcome: 'duplicate',
      message: '" A-1" is already in row 2; that row was used',
    });
  });

  test('may be empty: equal records are then all created', () => {
    const next = plan();
    for (const row of [2, 3]) expect(next(checked(row, {})).operation).toMatchObject({ kind: 'create' });
  });
});

describe('an impossible update', () => {
  test('is invalid without an identifier', () => {
    expect(planner({ mode: 'update' })(checked(2, { reference: 'T' })).outcome).toMatchObject({
      outcome: 'invalid',
      code: 'no-id',
      message:
        'an update needs the store\'s identifier: fill the column "_id"; no run knows the reference either',
      attempts: 0,
    });
  });

  test('is invalid with a text that is not an identifier, from the file or the ledger', () => {
    const plan = planner();
    expect(plan(checked(2, { reference: 'T', name: 'x' }, { id: '66 f0' })).outcome).toMatchObject({
      outcome: 'invalid',
      code: 'not-an-id',
      message: expect.stringContaining('column "_id": "66 f0"'),
    });
    // Output of a script that found no identifier.
    expect(plan(checked(4, { reference: 'N', name: 'x' }, { id: 'null' })).outcome).toMatchObject({
      code: 'not-an-id',
      message:
        'column "_id": "null", which is not an identifier: programs write this for a missing value; correct the cell, or empty it where the record is new',
    });
    // From a ledger that was written before such answers were refused.
    const known = { run: 'r1', row: 2, ref: [1, 0] as const, id: '' };
    expect(plan(checked(3, { reference: 'M', name: 'x' }, { known })).outcome).toMatchObject({
      code: 'not-an-id',
      message: expect.stringContaining('storeport run adopt'),
    });
  });

  test('is not attempted if only the case of a mail address differs', () => {
    const sent = { email: 'Ann@X.example', firstname: 'Ann', lastname: 'A' };
    const known = { run: 'r1', row: 2, ref: [1, 0] as const, id: '66f0', digests: createDigester()(sent) };
    const plan = planner({ resource: customers, grouping: 'none' });
    const again = { ...sent, email: 'ann@x.example' };
    expect(plan(checked(2, again, { known })).outcome).toMatchObject({ outcome: 'unchanged' });
    const other = checked(3, { ...again, email: 'ann@x.EXAMPLE', lastname: 'B' }, { known });
    expect(planner({ resource: customers })(other).outcome).toMatchObject({
      outcome: 'unsent',
      message: expect.stringMatching(/; changed: lastname$/),
    });
  });

  test('is not advised if the API has no update', () => {
    const known = { run: 'r1', row: 2, ref: [1, 0] as const, id: '66f0' };
    const again = (resource: typeof customers | typeof products, key: JsonObject) =>
      planner({ resource, mode: 'create' })(checked(2, key, { known })).outcome?.message;
    const sent = 'the store has it already: the run r1 sent it, row 2';
    expect(again(customers, { email: 'y@x.example' })).toBe(sent);
    expect(again(products, { reference: 'T' })).toBe(`${sent}; update it with --mode upsert`);
  });

  test('is unsent if the API has no update for the resource', () => {
    const planned = planner({ mode: 'update', resource: customers })(
      checked(2, { email: 'y@x.example' }, { id: '66f0' }),
    );
    expect(planned).toMatchObject({
      key: 'y@x.example',
      outcome: {
        outcome: 'unsent',
        code: 'no-update',
        message: "the store's API cannot update customers; only creating works",
      },
    });
  });
});

describe('issues', () => {
  const second: Issue = {
    code: 'required',
    message: 'name is missing: fill this cell',
    field: 'name',
    column: 'Title',
  };

  test('make a record invalid: code and field are those of the first, the message has all with their places', () => {
    const planned = planner()(checked(6, { reference: 'T' }, { issues: [price, second] }));
    expect(planned).toMatchObject({
      key: 'T',
      outcome: {
        outcome: 'invalid',
        code: 'not-a-number',
        field: 'price.salePrice',
        message:
          'row 7, column "Variant Price": "abc" is not a number; write it like 1234.50; ' +
          'column "Title": name is missing: fill this cell',
      },
    });
    expect(planned.operation).toBeUndefined();
  });

  test('without a place are in the message without one, and equal sentences once', () => {
    const bare: Issue = { code: 'odd', message: 'something is odd' };
    expect(planner()(checked(2, {}, { issues: [bare, bare] })).outcome).toMatchObject({
      code: 'odd',
      message: 'something is odd',
      field: undefined,
    });
  });

  test('keep the key claimed: the next record with it is a duplicate that names the invalid row', () => {
    const plan = planner();
    plan(checked(2, { reference: 'T' }, { issues: [price] }));
    const again = plan(checked(3, { reference: ' T' })).outcome;
    expect(again).toMatchObject({
      outcome: 'duplicate',
      code: 'duplicate-key',
      message:
        '" T" is already in row 2, and that row is invalid: correct it and import it. If this row is the right one, ' +
        'delete the other from the file, and import the file again',
    });
    expect(plan(checked(4, { reference: 'T' }, { issues: [price] })).outcome?.outcome).toBe('invalid');
    expect(plan(checked(5, { reference: 'T' })).outcome?.message).toContain('already in row 2, and that row');
  });

  test('keep an identifier of the store claimed too', () => {
    const plan = planner({ mode: 'update' });
    plan(checked(2, { name: 'Tea' }, { id: '66f0', issues: [price] }));
    expect(plan(checked(3, { name: 'Tea' }, { id: '66f0' })).outcome?.message).toContain(
      '"66f0" is already in row 2, and that row is invalid',
    );
  });

  test('of unreadable rows claim no key, since it is not known', () => {
    const plan = planner({ grouping: 'by-other' });
    const damage: Issue = { code: 'ragged-row', message: 'This row has 2 cells' };
    plan(checked(2, {}, { groupKey: 'T', issues: [damage] }));
    expect(plan(checked(3, { reference: 'T' }, { groupKey: 'U' })).operation?.kind).toBe('create');
  });
});

describe('keys of records that an earlier execution of the run has settled', () => {
  const createPlannerOf = (grouping: PlanOptions['grouping']) =>
    createPlanner({ resource: products, mode: 'upsert', dryRun: false, grouping });
  const ending = (row: number, outcome: OutcomeStatus, code?: string): RecordResultStub => ({
    ...{ seq: row, row, key: 'T', outcome: { outcome, code } },
  });

  test('are claimed by an invalid record too', () => {
    const { claimSettled, plan } = createPlannerOf('none');
    claimSettled(ending(2, 'invalid', 'not-a-number'));
    expect(plan(checked(3, { reference: 'T' })).outcome?.message).toContain(
      'already in row 2, and that row is invalid',
    );
  });

  test('are not claimed by an invalid record, or a duplicate, below one that is planned again', () => {
    for (const [outcome, code] of [
      ['invalid', 'not-a-number'],
      ['duplicate', 'duplicate-key'],
    ] as const) {
      const { reserve, claimSettled, plan } = createPlannerOf('none');
      reserve(ending(2, 'unsent'));
      claimSettled(ending(4, outcome, code));
      expect(plan(checked(2, { reference: 'T' })).operation?.kind).toBe('create');
      expect(plan(checked(5, { reference: 'T' })).outcome?.message).toContain('already in row 2; that row');
    }
  });

  test('are not claimed by the rest of a group below its first rows, which are planned again', () => {
    const { reserve, claimSettled, plan } = createPlannerOf('by-key');
    reserve(ending(2, 'unsent'));
    claimSettled(ending(4, 'invalid', 'group-split'));
    expect(plan(checked(2, { reference: 'T' }, { groupKey: 'T' })).operation?.kind).toBe('create');
  });

  test('are not claimed by unreadable rows', () => {
    const { claimSettled, plan } = createPlannerOf('by-other');
    claimSettled(ending(2, 'invalid', 'ragged-row'));
    expect(plan(checked(3, { reference: 'T' }, { groupKey: 'U' })).operation?.kind).toBe('create');
  });
});

describe('a repeated key', () => {
  test('is a duplicate that names the first row', () => {
    const plan = planner();
    plan(checked(2, { reference: 'T' }));
    plan(checked(3, { reference: 'U' }));
    expect(plan(checked(4, { reference: 'T' }))).toMatchObject({
      key: 'T',
      outcome: {
        outcome: 'duplicate',
        code: 'duplicate-key',
        message: '"T" is already in row 2; that row was used',
      },
    });
  });

  test.each([
    ['T', ' T '],
    ['é', 'e\u0301'],
    ['T\u00a0', 'T'],
  ])('%j is the same as %j', (first, again) => {
    const plan = planner();
    plan(checked(2, { reference: first }));
    expect(plan(checked(3, { reference: again })).outcome?.outcome).toBe('duplicate');
  });

  test.each([
    ['T', 't'],
    ['0017', '17'],
    ['a b', 'ab'],
  ])('%j is different from %j', (first, other) => {
    const plan = planner();
    plan(checked(2, { reference: first }));
    expect(plan(checked(3, { reference: other })).operation?.kind).toBe('create');
  });

  test('is never empty: records without a key are not duplicates of each other', () => {
    const plan = planner();
    expect([2, 3].map((row) => plan(checked(row, { name: 'Tea' })).operation?.kind)).toEqual([
      'create',
      'create',
    ]);
  });

  test('is found in a dry run too', () => {
    const plan = planner({ dryRun: true });
    expect([2, 3].map((row) => plan(checked(row, { reference: 'T' })).outcome?.outcome)).toEqual([
      undefined,
      'duplicate',
    ]);
  });

  test('is forgotten in the next run', () => {
    planner()(checked(2, { reference: 'T' }));
    expect(planner()(checked(3, { reference: 'T' })).operation?.kind).toBe('create');
  });
});

describe('a record that a program leaves out', () => {
  const leftOut = { outcome: 'unchanged', code: 'left-out' };

  test('is unchanged, and another record may have its key', () => {
    const plan = planner({ grouping: 'none' });
    expect(plan(checked(2, { reference: 'T' }, { isLeftOut: true })).outcome).toMatchObject(leftOut);
    expect(plan(checked(3, { reference: 'T' })).operation?.kind).toBe('create');
    expect(plan(checked(4, { reference: 'T' }, { isLeftOut: true })).outcome).toMatchObject(leftOut);
  });

  test('claims the key of its group, so that rows that return are no record of their own', () => {
    const plan = planner();
    plan(checked(2, { reference: 'T' }, { groupKey: 'tea', isLeftOut: true }));
    const returned = plan(checked(3, { reference: 'T' }, { groupKey: 'tea' }));
    expect(returned.outcome).toMatchObject({ outcome: 'invalid', code: 'group-split' });
  });
});

describe('a group', () => {
  test('whose rows are apart is an issue that names both rows, before all others', () => {
    const plan = planner();
    plan(checked(2, { reference: 'T' }, { groupKey: 'tea' }));
    plan(checked(3, { reference: 'U' }, { groupKey: 'urn' }));
    const message = '"tea" began in row 2 and is in row 4 again, with others between: move its rows together';
    expect(plan(checked(4, { reference: 'T' }, { groupKey: 'tea' })).outcome).toMatchObject({
      outcome: 'invalid',
      code: 'group-split',
      message,
    });
    expect(plan(checked(4, {}, { groupKey: ' tea', issues: [price] })).outcome).toMatchObject({
      code: 'group-split',
      message: expect.stringContaining(
        `${message.replace('"tea"', '" tea"')}; row 7, column "Variant Price": `,
      ),
    });
  });

  test('that was invalid keeps its key claimed, since the rest of its rows would be an incomplete product', () => {
    const plan = planner();
    plan(checked(2, {}, { groupKey: 'tea', issues: [price] }));
    expect(plan(checked(4, { reference: 'tea' }, { groupKey: 'tea' })).outcome?.code).toBe('group-split');
  });

  test('gives its key to a record without one', () => {
    expect(planner()(checked(2, {}, { groupKey: 'tea' })).key).toBe('tea');
    expect(planner()(checked(2, { reference: 'T' }, { groupKey: 'tea' })).key).toBe('T');
  });

  test('without a key is checked by the key of its record', () => {
    const plan = planner();
    plan(checked(2, { reference: 'T' }, { groupKey: '' }));
    expect(plan(checked(3, { reference: 'T' }, { groupKey: '' })).outcome?.outcome).toBe('duplicate');
  });
});

test.each([
  [products, { reference: 'T', email: 'x' }, 'T'],
  [customers, { email: 'y', phone: '1' }, 'y'],
  [customers, { email: '', phone: '1' }, '1'],
  [customers, { phone: '1' }, '1'],
  [customers, {}, undefined],
  [products, { reference: 5 }, undefined],
  [products, { reference: null }, undefined],
] as const)('the key of $name with %j is %j', (resource, payload, key) => {
  expect(keyOf(resource, payload as JsonObject)).toBe(key);
});

test('keys of records are compared too if groups have other keys', () => {
  const plan = planner({ grouping: 'by-other' });
  const outcomes = [
    plan(checked(2, { name: 'A', reference: 's2' }, { groupKey: 's2' })),
    plan(checked(3, { name: 'B', reference: 's2' }, { groupKey: 'h2' })),
    plan(checked(4, { name: 'C', reference: 'h2' }, { groupKey: 'h3' })),
  ].map(({ outcome }) => outcome?.outcome);
  expect(outcomes).toEqual([undefined, 'duplicate', undefined]);
});
