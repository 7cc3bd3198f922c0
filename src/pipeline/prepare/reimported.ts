import type { EarlierRecord, StoreHistory } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import {
  contentDigest,
  damageOf,
  INCOMPLETE,
  type Issue,
  messageIn,
  normalisedKey,
  notCorrected,
  originOf,
  type Row,
  type SourceRecord,
  surplusColumnOf,
  unchangedColumns,
} from '../../model/index.ts';
import { type Reimport, splitKeyIn, stillSplitGroup } from '../../plan/index.ts';
import { conflictOf, wasConflict } from './disagreements.ts';

/** The earlier records of the rows of a batch; undefined for rows of runs that the ledger does not know. */
type EarlierRecords = ReadonlyMap<Row, EarlierRecord | undefined>;

/** Finds the earlier records that the rows of re-imported records belong to. */
export async function earlierAt(
  records: readonly SourceRecord[],
  earlierRowOf: NonNullable<FileBinding['earlierRowOf']>,
  findEarlier: StoreHistory['findEarlier'],
): Promise<EarlierRecords> {
  const rows: Row[] = [];
  const places: Parameters<typeof findEarlier>[0][number][] = [];
  for (const record of records)
    for (const row of record.rows) {
      const earlierRow = earlierRowOf(row);
      if (earlierRow?.row === undefined) continue;
      rows.push(row);
      places.push({ run: earlierRow.run, row: earlierRow.row, cells: row.cells });
    }
  const found = places.length > 0 ? await findEarlier(places) : [];
  return new Map(rows.map((row, index) => [row, found[index]]));
}

/**
 * Finds the earlier records that a re-imported record consists of, by the columns of errors.csv and by the ledger if it
 * knows their run. `earlierOf`: undefined if there is no ledger.
 */
export function reimportOf(
  record: SourceRecord,
  binding: FileBinding,
  earlierOf: EarlierRecords | undefined,
): Reimport | undefined {
  const split = [...splitIssues(record, binding, earlierOf), ...strayIssues(record, binding, earlierOf)];
  const earlier = earlierOf ? earlierRecords(record, binding, earlierOf) : [];
  const [first] = earlier;
  if (!first) return unknownIn(record, binding, split);
  const doubtful = earlier.find(({ current }) => current.outcome === 'in-doubt');
  const issues = [
    ...split,
    ...prunedIssues(earlier, record),
    ...earlier.flatMap((each) => stillDamaged(each, record, binding)),
  ];
  return {
    refs: earlier.filter(({ outcome }) => INCOMPLETE.has(outcome)).map(({ ref }) => ref),
    isWhole: record.rows.every((row) => binding.earlierRowOf?.(row)?.row !== undefined),
    current: (doubtful ?? first).current,
    issues,
  };
}

/** Falls back to the outcome in the file if the ledger does not know the run: a record in doubt must not be sent. */
function unknownIn(
  { rows: [lead] }: SourceRecord,
  { earlierRowOf }: FileBinding,
  issues: readonly Issue[],
): Reimport | undefined {
  const earlierLead = lead && earlierRowOf?.(lead);
  if (!earlierLead || (earlierLead.outcome !== 'in-doubt' && issues.length === 0)) return undefined;
  const { run, outcome, code } = earlierLead;
  return { refs: [], isWhole: false, current: { run, outcome, code }, issues };
}

/** The earlier records, each once, in the order of the rows. */
function earlierRecords(
  { rows }: SourceRecord,
  { earlierRowOf, isUnordered, continuesAbove }: FileBinding,
  earlierOf: EarlierRecords,
): readonly EarlierRecord[] {
  const found = new Map<string, EarlierRecord>();
  for (const [index, row] of rows.entries()) {
    const earlierRow = earlierRowOf?.(row);
    const record = earlierOf.get(row);
    // With several files, the same row number exists in each. Grouped rows may be of other files than their lead, and rows
    // without a key are often alike.
    const isSure = index === 0 || !(isUnordered || continuesAbove?.(row)) || record?.files === 1;
    // A row that several records share does not identify the others.
    const isShared = index > 0 && record?.rows?.find((kept) => kept.row === earlierRow?.row)?.shared === true;
    if (record && isSure && !isShared) found.set(record.ref.join(), record);
  }
  return [...found.values()];
}

/**
 * Issues of rows that the earlier run could not read, and that are unchanged. The reader refuses such rows by the mark
 * after their message; this covers rows that lost the mark.
 */
function stillDamaged(
  { current, message, header, rows: keptRows = [] }: EarlierRecord,
  { rows }: SourceRecord,
  { earlierRowOf }: FileBinding,
): Issue[] {
  return rows.flatMap((row): Issue[] => {
    const earlierRow = earlierRowOf?.(row);
    const kept = keptRows.find((each) => each.row === earlierRow?.row);
    if (row.issues || !earlierRow?.code || kept?.damage === undefined) return [];
    const { code, digests } = damageOf(kept.damage);
    // A file without the column of surplus cells does not show that they were emptied.
    const hasSurplus = surplusColumnOf(row.table.header) >= 0;
    const before = hasSurplus ? kept.cells : kept.cells.slice(0, header.length);
    const whole = digests.length === 0 ? [contentDigest(header, before)] : digests;
    if (unchangedColumns(whole, row.table.header, row.cells).length === 0) return [];
    return [{ code, message: notCorrected(current.run, message), origin: originOf(row) }];
  });
}

/** An issue if it is not known whether the record has arrived: its line was dropped, maybe before it was corrected. */
function prunedIssues(earlier: readonly EarlierRecord[], { rows: [lead] }: SourceRecord): Issue[] {
  const unknown = earlier.find(({ dropped }) => dropped === 'unknown');
  if (!unknown || !lead) return [];
  const { run, row } = unknown.current;
  const message =
    `not sent: the run ${run} was pruned, and whether its row ${row} has arrived since is not known. ` +
    'Look in the store; if it is not there, clear the cell in storeport_run';
  return [{ code: 'pruned', message, origin: originOf(lead) }];
}

const SPLIT = 'group-split';

/**
 * Issues of a re-imported group that was refused because its rows were apart. errors.csv has them side by side, but they
 * may still contradict each other, or be only a part of the group. A part alone is refused even if it was corrected: as
 * an update it would remove the rest. With other rows, or under another key, it is a record.
 */
function splitIssues(
  record: SourceRecord,
  binding: FileBinding,
  earlierOf: EarlierRecords | undefined,
): Issue[] {
  const { earlierRowOf, groupKeyOf } = binding;
  const [lead] = record.rows;
  if (!groupKeyOf || !lead) return [];
  const key = groupKeyOf(lead);
  const split = record.rows.flatMap((row) => {
    const earlierRow = earlierRowOf?.(row);
    if (earlierRow?.code !== SPLIT || earlierRow.run === '') return [];
    const { run, message } = earlierRow;
    return [{ run, message: message || (earlierOf?.get(row)?.message ?? '') }];
  });
  const [first] = split;
  if (!first) return [];
  if (split.some(({ message }) => wasConflict(message))) return conflictOf(record.rows, binding, key);
  const isPart = ({ message }: { readonly message: string }) =>
    normalisedKey(splitKeyIn(message) ?? '') === normalisedKey(key);
  return split.length === record.rows.length && split.every(isPart) ? [stillSplitGroup(key, first.run)] : [];
}

const STRAYED = 'it continued another row in the run';

/**
 * Issues of re-imported rows that would continue a wrong record. A row without a key continues the row above it. If its
 * own lead row was deleted, that is another record. All rows of one record have the same message in errors.csv.
 */
function strayIssues(
  { rows: [lead, ...rest] }: SourceRecord,
  { earlierRowOf, continuesAbove }: FileBinding,
  earlierOf: EarlierRecords | undefined,
): Issue[] {
  const earlierLead = lead && continuesAbove && earlierRowOf?.(lead);
  if (earlierLead?.row === undefined) return [];
  const leadMessage = messageIn(earlierLead.message);
  const ownRows = lead && earlierOf?.get(lead)?.rows;
  return rest.flatMap((row): Issue[] => {
    const earlierRow = continuesAbove?.(row) ? earlierRowOf?.(row) : undefined;
    if (earlierRow?.row === undefined) return [];
    const { run, row: number, message } = earlierRow;
    const hasSameMessage = messageIn(message) === leadMessage;
    const isOwn = run === earlierLead.run && (ownRows?.some((each) => each.row === number) ?? hasSameMessage);
    const wasStray = hasSameMessage && leadMessage.includes(`row ${number}: ${STRAYED}`);
    if (isOwn && !wasStray) return [];
    return [
      {
        code: SPLIT,
        message:
          `${STRAYED} ${run}, where it was row ${number}: ` +
          'put that row above it again, or delete this one too',
        origin: originOf(row),
      },
    ];
  });
}
