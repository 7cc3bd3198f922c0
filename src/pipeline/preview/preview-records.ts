import { tmpdir } from 'node:os';
import { type CheckedRecord, keyFor, keyNormaliser, keyOf } from '../../plan/index.ts';
import type { SourceOptions } from '../inputs/inputs.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { type ShownRecord, shownRecord } from '../prepare/preview.ts';

export interface PreviewOptions extends SourceOptions {
  /** Number of the first record to look at. */
  readonly from: number;
  readonly count: number;
  /** Only the record with this key, compared as the ledger does. */
  readonly key?: string | undefined;
  /** Only records with an issue. */
  readonly withIssues: boolean;
  /** Ends the search. */
  readonly stopped: AbortSignal;
}

export interface Previewed {
  readonly records: readonly PreviewedRecord[];
  /** Number of the record after the last one that was looked at; undefined at the end of the file. */
  readonly next: number | undefined;
}

export interface PreviewedRecord extends ShownRecord {
  /** Number in the source, from 0. */
  readonly index: number;
  /** The columns that each field of the payload was read from. */
  readonly links: readonly { readonly field: string; readonly columns: readonly string[] }[];
}

/** Finds records of a file, and shows them as they would be sent. No store is contacted, no report is written. */
export async function previewRecords(options: PreviewOptions): Promise<Previewed> {
  const { resource, mode, from, count, withIssues, stopped } = options;
  const normalise = keyNormaliser(resource);
  const wanted = options.key === undefined ? undefined : normalise(options.key);
  // A phone number may be looked for as the file has it, and with the code of its country.
  const keysOf = (record: CheckedRecord) => [keyFor(resource, record), keyOf(resource, record.payload) ?? ''];
  const isWanted = (record: CheckedRecord) =>
    (!withIssues || record.issues.length > 0) &&
    (wanted === undefined || keysOf(record).some((key) => normalise(key) === wanted));
  const { from: _from, ...source } = options;
  const inputs = await openInputs({ ...source, onWarning: () => {} });
  const records: PreviewedRecord[] = [];
  let next = from;
  const isFull = () => records.length >= count;
  const steps = prepareRecords(inputs, {
    ...{ resource, mode, dryRun: true, maskContacts: false, fromSettings: {}, offset: from },
    spillFolder: tmpdir(),
    onPrepared() {},
    onChecked(checked, binding) {
      for (const record of checked) {
        if (isFull()) return;
        next = record.record.seq + 1;
        if (!isWanted(record)) continue;
        const links = new Map<string, Set<string>>();
        for (const { path, row, column } of binding.cellsOf(record.record)) {
          const field = path.join('.');
          links.set(field, (links.get(field) ?? new Set()).add(row.table.header[column] ?? ''));
        }
        records.push({
          ...shownRecord(record, binding, resource),
          index: record.record.seq,
          links: [...links].map(([field, columns]) => ({ field, columns: [...columns] })),
        });
      }
    },
  });
  try {
    for await (const _ of steps) if (isFull() || stopped.aborted) return { records, next };
    return { records, next: undefined };
  } finally {
    await close(inputs);
  }
}
