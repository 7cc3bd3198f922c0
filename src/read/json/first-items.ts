import { isObject, type JsonObject, type Position, type Row } from '../../model/index.ts';
import type { Content } from '../source.ts';

/** Rows and bytes in which the first objects are searched, since rows without one are held until then. */
const [HEAD_ROWS, HEAD_BYTES] = [1000, 8 * 1024 * 1024];

/** True for rows behind those by which a file is recognised. */
export function isPastHead({ row, offset = 0 }: Pick<Row, 'row' | 'offset'>): boolean {
  return row > HEAD_ROWS || offset > HEAD_BYTES;
}

/**
 * Reads until the first objects of a JSON file are known: JSON is recognised by them, as CSV is by its header. `from`
 * is the first wanted row; the run that stopped has read the rows before.
 */
export async function withFirstItems(content: Content, from?: Position): Promise<Content> {
  const { table } = content;
  if (table.items === undefined) return content;
  const { batches } = content;
  // The table's own list, which rows refer to, so it is filled in place.
  const items = table.items as JsonObject[];
  const read: Row[][] = [];
  let failure: unknown;
  let isEnough = false;
  while (items.length === 0 && failure === undefined && !isEnough) {
    const next = await batches.next().catch((error: unknown) => {
      failure = error;
    });
    if (!next || next.done === true) break;
    read.push(next.value);
    isEnough = next.value.some(isPastHead);
    if (items.length > 0) continue;
    for (const row of next.value) if (isObject(row.value) && !isPastHead(row)) items.push(row.value);
  }
  async function* all(): AsyncGenerator<Row[], void> {
    yield* read;
    // Throw in order, as for a failure further down in the file, so that the run ends at this row.
    if (failure !== undefined) throw failure;
    yield* batches;
  }
  async function* wanted({ row: first }: Position): AsyncGenerator<Row[], void> {
    for await (const rows of all()) yield rows.filter(({ row }) => row >= first);
  }
  return { ...content, batches: from === undefined ? all() : wanted(from), firstRow: read[0]?.[0] };
}
