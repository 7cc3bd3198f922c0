import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlannedRecord, ReadyRecord } from '../../../src/model/index.ts';
import { readyRecord } from '../../../src/pipeline/prepare/ready-records.ts';
import { createPacker, unpackBatch } from '../../../src/pipeline/reader/ready-batch.ts';
import { products } from '../../../src/resources/products.ts';
import { anyText } from '../../support/any-text.ts';

const text = anyText({ maxLength: 40 });
const long = text.map((some) => some.repeat(2000));

const operation = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), payload: fc.dictionary(text, fc.oneof(text, long)) }),
  fc.record({
    kind: fc.constant('update' as const),
    id: fc.constantFrom('66f0', 'a/b?c', 'ü'),
    payload: fc.dictionary(text, text),
  }),
);

const decided = fc.oneof(
  fc.record({
    operation,
    digests: fc.option(fc.record({ fields: text, digests: text }), { nil: undefined }),
  }),
  fc.record({
    outcome: fc.record({
      outcome: fc.constantFrom('invalid' as const, 'unchanged' as const, 'in-doubt' as const),
      attempts: fc.constant(0),
      durationMs: fc.constant(0),
      message: text,
    }),
  }),
);

const planned: fc.Arbitrary<PlannedRecord> = fc
  .tuple(fc.nat(), text, fc.array(fc.array(text), { minLength: 1, maxLength: 3 }), decided)
  .map(([seq, key, rows, rest]) => {
    const table = { file: 'a.csv', header: ['name'] };
    const record = {
      seq,
      rows: rows.map((cells, index) => ({ table, row: index + 2, line: index + 2, cells })),
    };
    return { record, key, ...rest } as PlannedRecord;
  });

/** Bodies as bytes, and without properties that are undefined. */
function comparable(ready: readonly ReadyRecord[]): unknown {
  return ready.map((each) => {
    if ('result' in each) return JSON.parse(JSON.stringify(each));
    const { request, intent, ...rest } = each;
    return JSON.parse(
      JSON.stringify({
        ...rest,
        intent: intent.toString('hex'),
        request: { ...request, body: hex(request.body) },
      }),
    );
  });
}

const hex = (body: string | Buffer | undefined) => Buffer.from(body ?? '').toString('hex');

test('a batch that another thread unpacks is the one that was packed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(planned, { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (batches, namesFiles) => {
        const options = { resource: products, namesFiles };
        const pack = createPacker(options);
        // The packer uses its buffer again, so all are packed before the first is unpacked.
        const packed = batches.map((batch) => structuredClone(pack(batch)));
        for (const [index, batch] of batches.entries()) {
          const arrived = packed[index] as (typeof packed)[number];
          const expected = batch.map((each) => readyRecord(each, options));
          expect(comparable(unpackBatch(arrived, products))).toEqual(comparable(expected));
        }
      },
    ),
  );
});
