import { expect, test } from 'vitest';
import { newRunId } from '../../../src/pipeline/summary/facts.ts';

test('runs that begin in one second have ids that differ', () => {
  const begun = new Date('2026-11-21T09:30:12.345Z');
  const ids = Array.from({ length: 65_536 }, () => newRunId(begun));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids.slice(0, 20)) expect(id).toMatch(/^20261121-093012-[0-9a-f]{4}$/);
});
