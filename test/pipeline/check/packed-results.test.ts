import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckedResult } from '../../../src/pipeline/check/check-records.ts';
import { packResults, unpackResults } from '../../../src/pipeline/check/packed-results.ts';
import { PLANNED } from '../../../src/pipeline/summary/plan.ts';

const place = fc.record({ seq: fc.nat(), row: fc.nat(), key: fc.string() });

const result: fc.Arbitrary<CheckedResult> = fc.oneof(
  place.map(({ seq, row, key }) => ({
    settled: { seq, row, key, outcome: PLANNED },
    plan: { row, key, action: 'create', fields: [] },
  })),
  fc.tuple(place, fc.string(), fc.array(fc.string())).map(([{ seq, row, key }, id, fields]) => ({
    settled: { seq, row, key, outcome: PLANNED },
    plan: { row, key, action: 'update', id, fields },
  })),
  fc.tuple(place, fc.string()).map(([{ seq, row, key }, message]) => ({
    settled: {
      ...{ seq, row, key, rows: [{ row, cells: [key, message] }] },
      outcome: { outcome: 'invalid' as const, attempts: 0, durationMs: 0, code: 'required', message },
    },
    plan: { row, key, action: 'invalid', fields: [] },
  })),
);

test('results that another thread unpacks are those that were packed, in their order', () => {
  fc.assert(
    fc.property(fc.array(result), (results) => {
      expect(unpackResults(structuredClone(packResults(results)))).toEqual(results);
    }),
  );
});
