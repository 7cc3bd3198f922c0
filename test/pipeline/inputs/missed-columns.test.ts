import { expect, test } from 'vitest';
import type { Row } from '../../../src/model/index.ts';
import { peek } from '../../../src/pipeline/inputs/missed-columns.ts';
import { rowsOf, tableOf } from '../../support/map-rows.ts';

const ROWS = rowsOf(tableOf('A'), ...Array.from({ length: 9 }, (_, index) => [`${index}`]));
const BATCHES = [ROWS.slice(0, 3), ROWS.slice(3, 6), ROWS.slice(6)];

async function* source(state: { closed?: boolean }, failAfter = 9): AsyncGenerator<Row[]> {
  try {
    for (const [index, batch] of BATCHES.entries()) {
      if (index === failAfter) throw new Error('cannot be read');
      yield batch;
    }
  } finally {
    state.closed = true;
  }
}

async function read(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

test.each([1, 4, 9, 100])('after a peek at %i rows, all rows are still read in order', async (atLeast) => {
  const state = {};
  const { rows, batches } = await peek(source(state), atLeast);
  expect(rows.length).toBeGreaterThanOrEqual(Math.min(atLeast, 9));
  expect(await read(batches)).toEqual(ROWS);
  expect(state).toEqual({ closed: true });
});

test('an error while reading is thrown after the rows before it', async () => {
  const { rows, batches } = await peek(source({}, 2), 100);
  expect(rows).toEqual(ROWS.slice(0, 6));
  const found: Row[] = [];
  const reading = async () => {
    for await (const batch of batches) found.push(...batch);
  };
  await expect(reading()).rejects.toThrow('cannot be read');
  expect(found).toEqual(ROWS.slice(0, 6));
});

test('the source is closed when the consumer stops reading', async () => {
  const state = {};
  const { batches } = await peek(source(state), 1);
  for await (const _ of batches) break;
  expect(state).toEqual({ closed: true });
});
