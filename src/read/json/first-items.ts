import { isObject, type JsonObject, type Position, type Row } from '../../model/index.ts';
import type { Content } from '../source.ts';

/**
 * Reads on until the first objects of a file of JSON are known: it is recognised by them, as others by their header.
 * `from`: where rows are wanted from; what is before was read by the run that stopped.
 */
export async function withFirstItems(content: Content, from?: Position): Promise<Content> {
  const { table } = content;
  if (table.items === undefined) return content;
  const { batches } = content;
  // The list that the table was made with: rows point at the table.
  const items = table.items as JsonObject[];
  const read: Row[][] = [];
  let failure: unknown;
  while (items.length === 0 && failure === undefined) {
    const next = await batches.next().catch((error: unknown) => {
      failure = error;
    });
    if (!next || next.done === true) break;
    read.push(next.value);
    if (items.length === 0) for (const { value } of next.value) if (isObject(value)) items.push(value);
  }
  async function* all(): AsyncGenerator<Row[], void> {
    yield* read;
    // It is the run's end when its turn comes, as further down in the file.
    if (failure !== undefined) throw failure;
    yield* batches;
  }
  async function* wanted({ row: first }: Position): AsyncGenerator<Row[], void> {
    for await (const rows of all()) yield rows.filter(({ row }) => row >= first);
  }
  return { ...content, batches: from === undefined ? all() : wanted(from), firstRow: read[0]?.[0] };
}
