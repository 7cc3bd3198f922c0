import type {
  MappingWarning,
  OpenMappingWarning,
  RecordWarning,
  SourceRecord,
  Table,
} from '../../model/index.ts';

/** Called with warnings about one record. `key`: undefined if the record has none. */
export type NoteWarnings = (
  record: SourceRecord,
  key: string | undefined,
  warnings: readonly RecordWarning[],
) => void;

/** Warnings of the mapping about the records of one file. Its size depends on the mapping, not on the file. */
export interface MappingWarnings {
  readonly add: NoteWarnings;
  /** Adds the warnings about the records from `seq` on, which are numbered from 0 there. */
  merge(found: readonly OpenMappingWarning[], seq: number): void;
  /** In the order of the first record of each, whatever the batches are. */
  all(): OpenMappingWarning[];
}

/** Beyond this many, records are counted and not listed. */
const MOST_RECORDS = 10;

interface OpenWarning extends OpenMappingWarning {
  count: number;
  records: OpenMappingWarning['records'][number][];
  last: number;
}

/** `earlier`: the warnings of an earlier execution of the run. */
export function createMappingWarnings(earlier: readonly OpenMappingWarning[] = []): MappingWarnings {
  const known = new Map<string, OpenWarning>(
    earlier.map((each) => [each.message, { ...each, records: [...each.records] }]),
  );
  const counted = new Map(earlier.map(({ message, last }) => [message, last]));
  const firsts = new Map<string, number>();

  function warningFor(message: string, seq: number): OpenWarning {
    const before = known.get(message);
    if (before) return before;
    const warning: OpenWarning = { message, count: 0, records: [], last: seq };
    known.set(message, warning);
    firsts.set(message, seq);
    return warning;
  }

  return {
    add({ seq, rows: [lead] }, key, given) {
      for (const [message, about] of firstOfEach(given)) {
        if (seq <= (counted.get(message) ?? -1)) continue;
        const warning = warningFor(message, seq);
        warning.count++;
        warning.last = seq;
        if (lead && warning.records.length < MOST_RECORDS)
          warning.records.push({ row: lead.row, ...(key === undefined ? {} : { key }), ...about });
      }
    },
    merge(found, seq) {
      for (const each of found) {
        const warning = warningFor(each.message, seq);
        warning.count += each.count;
        warning.last = seq + each.last;
        warning.records.push(...each.records.slice(0, MOST_RECORDS - warning.records.length));
      }
    },
    all: () =>
      [...known.values()].sort((a, b) => (firsts.get(a.message) ?? -1) - (firsts.get(b.message) ?? -1)),
  };
}

/** A record is counted once for each message, with the first cell that it is about. */
function firstOfEach(warnings: readonly RecordWarning[]): Map<string, { row?: number; found?: string }> {
  const firsts = new Map<string, { row?: number; found?: string }>();
  for (const warning of warnings) {
    const { message, ...about } = typeof warning === 'string' ? { message: warning } : warning;
    if (!firsts.has(message)) firsts.set(message, about);
  }
  return firsts;
}

/** Adds warnings about a record to those of the file that has its first row. */
export function warningsNoter(
  files: readonly { readonly source: { readonly table: Table }; readonly mappingWarnings: MappingWarnings }[],
): NoteWarnings {
  const byTable = new Map<Table, MappingWarnings>(
    files.map(({ source, mappingWarnings }) => [source.table, mappingWarnings]),
  );
  return (record, key, messages) => {
    const table = record.rows[0]?.table;
    if (table) byTable.get(table)?.add(record, key, messages);
  };
}

/** As reports show them. */
export function shownWarnings(warnings: readonly OpenMappingWarning[]): MappingWarning[] {
  return warnings.map(({ last: _, ...shown }) => shown);
}
