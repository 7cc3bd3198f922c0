import type { Row } from '../../model/index.ts';

/**
 * Reads the first rows ahead of their consumer. An error while reading is thrown later, after the consumer has received
 * the rows before it.
 */
export async function peek(
  batches: AsyncIterable<Row[]>,
  atLeast: number,
): Promise<{ readonly rows: readonly Row[]; readonly batches: AsyncIterable<Row[]> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const first: Row[][] = [];
  const rows: Row[] = [];
  let failure: unknown;
  let isAtEnd = false;
  try {
    while (rows.length < atLeast && !isAtEnd) {
      const next = await iterator.next();
      isAtEnd = next.done === true;
      if (next.done) break;
      first.push(next.value);
      rows.push(...next.value);
    }
  } catch (error) {
    failure = error;
  }
  async function* all(): AsyncGenerator<Row[]> {
    try {
      while (first.length > 0) yield first.shift() as Row[];
      if (failure !== undefined) throw failure;
      for (;;) {
        if (isAtEnd) return;
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { rows, batches: all() };
}
