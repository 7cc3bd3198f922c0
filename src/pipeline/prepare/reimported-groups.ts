import type { FindEarlier } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import { type Issue, messageIn, normalisedKey, originOf, type SourceRecord } from '../../model/index.ts';
import { splitKeyIn, stillSplitGroup } from '../../plan/index.ts';
import { conflictOf, wasConflict } from './disagreements.ts';

const SPLIT = 'group-split';

/**
 * Issues of a re-imported group that was refused because its rows were apart. errors.csv has them side by side, but they
 * may still contradict each other, or be only a part of the group. A part alone is refused even if it was corrected: as
 * an update it would remove the rest. With other rows, or under another key, it is a record.
 */
export function stillSplit(
  record: SourceRecord,
  binding: FileBinding,
  find: FindEarlier | undefined,
): Issue[] {
  const { earlier, groupKeyOf } = binding;
  const [lead] = record.rows;
  if (!groupKeyOf || !lead) return [];
  const key = groupKeyOf(lead);
  const split = record.rows.flatMap((row) => {
    const then = earlier?.(row);
    if (then?.code !== SPLIT || then.run === '') return [];
    const known = then.row === undefined ? undefined : find?.(then.run, then.row, row.cells);
    return [{ run: then.run, message: then.message || (known?.message ?? '') }];
  });
  const [first] = split;
  if (!first) return [];
  if (split.some(({ message }) => wasConflict(message))) return conflictOf(record, binding, key);
  const isPart = ({ message }: { readonly message: string }) =>
    normalisedKey(splitKeyIn(message) ?? '') === normalisedKey(key);
  return split.length === record.rows.length && split.every(isPart) ? [stillSplitGroup(key, first.run)] : [];
}

const STRAYED = 'it continued another row in the run';

/**
 * Issues of re-imported rows that would continue a wrong record. A row without a key continues the row above it. If its
 * own lead row was deleted, that is another record. All rows of one record have the same message in errors.csv.
 */
export function strays(
  { rows: [lead, ...rest] }: SourceRecord,
  { earlier, continues }: FileBinding,
  find: FindEarlier | undefined,
): Issue[] {
  const from = lead && continues && earlier?.(lead);
  if (from?.row === undefined) return [];
  const said = messageIn(from.message);
  const own = find?.(from.run, from.row, lead?.cells ?? [])?.rows;
  return rest.flatMap((row): Issue[] => {
    const then = continues?.(row) ? earlier?.(row) : undefined;
    if (then?.row === undefined) return [];
    const hasSameMessage = messageIn(then.message) === said;
    const isOwn = then.run === from.run && (own?.some((each) => each.row === then.row) ?? hasSameMessage);
    const wasStray = hasSameMessage && said.includes(`row ${then.row}: ${STRAYED}`);
    if (isOwn && !wasStray) return [];
    return [
      {
        code: SPLIT,
        message:
          `${STRAYED} ${then.run}, where it was row ${then.row}: ` +
          'put that row above it again, or delete this one too',
        origin: originOf(row),
      },
    ];
  });
}
