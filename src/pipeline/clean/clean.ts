import { tmpdir } from 'node:os';
import {
  ConfigError,
  firstOfShared,
  INCOMPLETE,
  type Json,
  type JsonObject,
  type KeptRow,
  keptRow,
  leadRowNumber,
  type PlannedRecord,
  type Row,
  RunStopped,
  startStopwatch,
} from '../../model/index.ts';
import { collectReturned, returnTable } from '../../report/index.ts';
import { openRows, refuseOverwriting, type Writer } from '../../write/index.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { close, open } from '../inputs/open-inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview } from '../prepare/preview.ts';
import { filesRead } from '../run/own-files.ts';
import { newRunId } from '../summary/facts.ts';
import { createRecordCounts, progressOf } from '../summary/progress.ts';
import { createStatistics } from '../summary/statistics.ts';
import { summaryFiles } from '../summary/summary.ts';
import { cleanCell } from './cell.ts';
import { changeOf } from './change-kind.ts';
import { type Changes, createChanges } from './changes.ts';
import type { CleanOptions } from './options.ts';
import { openKept, openNative } from './output.ts';
import { type CleanSummary, cleanSummary, writePage } from './summary.ts';

/**
 * Maps and validates files, and writes one clean file: valid records to `out`, invalid records and duplicates to
 * `rejects`. Each file is whole or absent. Sends no request to a store. Throws ConfigError and RunStopped.
 */
export async function runClean(options: CleanOptions): Promise<CleanSummary> {
  const stopwatch = startStopwatch();
  const changes = createChanges();
  const inputs = withCleanRows(await open(options), changes);
  try {
    refuseObjects(inputs, options);
    refuseLosses(options, inputs.mapping.lookups);
    const { keepColumns, interrupted } = options;
    const table = await (keepColumns ? openKept : openNative)(inputs, options);
    const rejects = await openRejects(inputs, options).catch(async (error) => {
      await table.abort();
      throw error;
    });
    const statistics = createStatistics();
    const count = createRecordCounts();
    const returned = options.pageWithoutRows ? undefined : collectReturned(inputs.header);
    const { recordFailed } = options.watch;
    options.watch.started(progressOf(inputs, count, options));
    const preview = createPreview(options.show ?? 0, options.resource);
    // Not a dry run, whose records would have no payload.
    const stages = {
      ...prepareOptions({ options: { ...options, maskContacts: false }, counts: count, dryRun: false }),
      spillFolder: tmpdir(),
    };
    try {
      for await (const batch of prepareRecords(inputs, { ...stages, onChecked: preview.note })) {
        for (const { record, key, outcome } of batch) {
          const end = outcome ?? { outcome: 'planned' as const, attempts: 0, durationMs: 0 };
          statistics.add(end, leadRowNumber(record));
          count.add(end.outcome);
          if (!INCOMPLETE.has(end.outcome)) continue;
          const result = { seq: record.seq, row: leadRowNumber(record), key, outcome: end };
          recordFailed?.(result);
          returned?.add({ ...result, rows: record.rows.map(rowAsRead) });
        }
        const good = batch.filter(({ outcome }) => outcome === undefined);
        if (!keepColumns) for (const planned of good) noteMappedCells(planned, inputs, changes);
        await table.write(good);
        await rejects?.write(batch.filter(({ outcome }) => outcome !== undefined));
        if (interrupted.aborted) throw new RunStopped('interrupted', 'The clean-up was interrupted.');
      }
      await rejects?.commit();
      await table.commit();
      options.watch.shown?.(preview.shown);
    } catch (error) {
      await rejects?.abort();
      await table.abort();
      throw error;
    }
    const files = sourceFiles(inputs.files, options);
    const summary = cleanSummary(options, { inputs, files, statistics, changes, stopwatch });
    const parts = { files: summaryFiles(files), startedAt: stopwatch.startedAt, returned };
    await writePage(options.page, summary, parts);
    return summary;
  } finally {
    await close(inputs);
  }
}

function refuseLosses(options: CleanOptions, lookups: ImportInputs['mapping']['lookups']): void {
  const { out = '-', rejects, page, commandFiles } = options;
  refuseOverwriting(
    [
      { path: out, says: out === '-' ? 'standard output' : `--out ${out}` },
      ...(rejects === undefined ? [] : [{ path: rejects, says: `--rejects ${rejects}` }]),
      ...(page === undefined ? [] : [{ path: page, says: `the page ${page}` }]),
      ...(commandFiles?.written ?? []),
    ],
    [...filesRead(options, lookups), ...(commandFiles?.read ?? [])],
    commandFiles?.home,
  );
}

function refuseObjects({ files }: ImportInputs, { keepColumns }: CleanOptions): void {
  const objects = files.find(({ source }) => source.table.items !== undefined);
  if (keepColumns && objects)
    throw new ConfigError(
      `${objects.source.table.file} holds JSON objects, which have no columns to be kept.`,
      ['Leave out --keep-columns: the objects are written in the native form.'],
    );
}

type NoteChange = Changes['add'];

/** A row with clean cells and its original ones: rejects have the rows as they were read. */
interface CleanRow extends Row {
  readonly asRead: readonly string[];
}

/** The row with its cells before cleaning. */
function rowAsRead(row: Row): KeptRow {
  return keptRow(row, (row as Partial<CleanRow>).asRead);
}

function withCleanRows(inputs: ImportInputs, changes: Changes): ImportInputs {
  return { ...inputs, files: inputs.files.map((input) => cleanInput(input, changes)) };
}

function cleanInput(input: InputFile, changes: Changes): InputFile {
  const { source } = input;
  if (source.table.items !== undefined) return input;
  async function* cleaned(batches: AsyncIterable<readonly Row[]>, note: NoteChange): AsyncGenerator<Row[]> {
    for await (const rows of batches) yield rows.map((row) => cleanRow(row, note));
  }
  const { again } = input;
  return {
    ...input,
    // A scan of the file would see its cells before cleaning.
    source: { ...source, batches: cleaned(source.batches, changes.add), reread: undefined },
    // Changes are counted only in the first pass.
    again: again && (() => cleaned(again(), () => {})),
  };
}

/** Leaves damaged rows as they are, since their cells may be anything. They are rejected later. */
function cleanRow(row: Row, note: NoteChange): Row {
  if (row.issues) return row;
  const { file, header } = row.table;
  const cells = row.cells.map((cell, index) =>
    cleanCell(cell, (kind, before, after) =>
      note(kind, { file, row: row.row, column: header[index] ?? '', before, after }),
    ),
  );
  const clean: CleanRow = { asRead: row.cells, ...row, cells };
  return clean;
}

async function openRejects(
  { header }: ImportInputs,
  { rejects: file, csv }: CleanOptions,
): Promise<Writer<PlannedRecord> | undefined> {
  if (file === undefined) return undefined;
  const returned = returnTable(header);
  const rows = await openRows(file, returned.header, csv);
  const run = newRunId(new Date());
  const isFirst = firstOfShared();
  const linesOf = ({ record, key, outcome }: PlannedRecord): string[][] => {
    if (outcome === undefined) return [];
    const settled = { seq: record.seq, row: leadRowNumber(record), key, outcome };
    return record.rows.filter(isFirst).map((row) => returned.line(run, rowAsRead(row), settled));
  };
  return { ...rows, write: (records) => rows.write(records.flatMap(linesOf)) };
}

/** Counts the cells that the mapping changed. */
function noteMappedCells(
  { record, operation }: PlannedRecord,
  { files }: ImportInputs,
  changes: Changes,
): void {
  const table = record.rows[0]?.table;
  const input = files.find(({ source }) => source.table === table);
  if (!input || !operation) return;
  for (const { path, row, column } of input.binding.cellsOf(record)) {
    // The value of an expression has no cell.
    if (column < 0) continue;
    const before = row.cells[column] ?? '';
    const value = valueAt(operation.payload, path);
    const change = value === undefined ? undefined : changeOf(before, value);
    if (!change) continue;
    const { file, header } = row.table;
    const cell = { file, row: row.row, column: header[column] ?? '', before, after: change.after };
    changes.add(change.kind, cell);
  }
}

function valueAt(payload: JsonObject, path: readonly string[]): Json | undefined {
  let found: Json | undefined = payload;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  return found;
}
