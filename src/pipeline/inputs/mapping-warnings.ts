import type { MappingWarning, OpenMappingWarning, SourceRecord, Table } from '../../model/index.ts';

/** Called with warnings about one record. `key`: undefined if the record has none. */
export type NoteWarnings = (
  record: SourceRecord,
  key: string | undefined,
  messages: readonly string[],
) => void;

/** Warnings of the mapping about the records of one file. Its size depends on the mapping, not on the file. */
export interface MappingWarnings {
  readonly add: NoteWarnings;
  all(): OpenMappingWarning[];
}

/** Beyond this many, records are counted and not listed. */
const MOST_RECORDS = 10;

/** `earlier`: the warnings of an earlier execution of the run. */
export function createMappingWarnings(earlier: readonly OpenMappingWarning[] = []): MappingWarnings {
  const known = new Map(earlier.map((each) => [each.message, { ...each, records: [...each.records] }]));
  const counted = new Map(earlier.map(({ message, last }) => [message, last]));
  return {
    add({ seq, rows: [lead] }, key, messages) {
      for (const message of new Set(messages)) {
        if (seq <= (counted.get(message) ?? -1)) continue;
        const warning = known.get(message) ?? { message, count: 0, records: [], last: seq };
        known.set(message, warning);
        warning.count++;
        warning.last = seq;
        if (lead && warning.records.length < MOST_RECORDS)
          warning.records.push({ row: lead.row, ...(key === undefined ? {} : { key }) });
      }
    },
    all: () => [...known.values()],
  };
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
