import { expect, test } from 'vitest';
import { createMappingWarnings } from '../../../src/pipeline/inputs/mapping-warnings.ts';
import { recordOf, rowsOf, tableOf } from '../../support/map-rows.ts';

const recordAt = (seq: number) => ({ ...recordOf(rowsOf(tableOf('A'), ['x'])), seq });

test('records that are read again in a resumed run are counted once', () => {
  const first = createMappingWarnings();
  for (const seq of [0, 1, 2]) first.add(recordAt(seq), `key-${seq}`, ['Told.', 'Told.']);
  const resumed = createMappingWarnings(first.all());
  for (const seq of [1, 2, 3]) resumed.add(recordAt(seq), `key-${seq}`, ['Told.']);
  expect(resumed.all()).toMatchObject([{ message: 'Told.', count: 4, last: 3 }]);
});

test('more than ten records are counted and not listed', () => {
  const warnings = createMappingWarnings();
  for (let seq = 0; seq < 100; seq++) warnings.add(recordAt(seq), undefined, ['Told.']);
  const [all] = warnings.all();
  expect(all?.count).toBe(100);
  expect(all?.records).toHaveLength(10);
});
