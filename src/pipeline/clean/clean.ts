import { tmpdir } from 'node:os';
import {
  ConfigError,
  firstOfShared,
  INCOMPLETE,
  type Json,
  type JsonObject,
  keptRow,
  leadRowNumber,
  type MappingWarning,
  type PlannedRecord,
  type Row,
  RunStopped,
  type Suspicion,
  startStopwatch,
} from '../../model/index.ts';
import { returnTable } from '../../report/index.ts';
import { openRows, refuseOverwriting, type Writer } from '../../write/index.ts';
import { publicSuspicions } from '../inputs/damage-report.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { shownWarnings } from '../inputs/mapping-warnings.ts';
import { close, open } from '../inputs/open-inputs.ts';
import { sourceFiles } from '../inputs/source-files.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview } from '../prepare/preview.ts';
import { prepareOptions } from '../run/file-records.ts';
import type { RunOptions } from '../run/options.ts';
import { filesRead } from '../run/own-files.ts';
import { newRunId } from '../summary/facts.ts';
import { createRecordCounts, progressOf } from '../summary/progress.ts';
import { createStatistics, type Problem } from '../summary/statistics.ts';
import { type NeverHeld, neverHeldIn } from '../summary/summary.ts';
import { cleanCell } from './cell.ts';
import { changeOf } from './change-kind.ts';
import { type Change, type Changes, createChanges } from './changes.ts';
import { type CleanTableOptions, openKept, openNative } from './output.ts';

export interface CleanOptions extends RunOptions, CleanTableOptions {
  /** File for the rows of rejected records, with reasons. If undefined, they are only counted. */
  readonly rejects?: string | undefined;
  /** Writes the source's own columns in place of the native form. */
  readonly keepColumns: boolean;
}

export interface CleanSummary {
  readonly command: 'clean';
  readonly resource: string;
  readonly files: readonly string[];
  readonly mapping: string;
  readonly out: string | null;
  readonly rejects: string | null;
  /** Number of records read: the sum of `outcomes`. */
  readonly records: number;
  /** `planned` were written to `out`, the others to `rejects`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number of rows with only delimiters and blanks, which are in neither file. */
  readonly empty_rows: number;
  /** Number of rows that the mapping left out. */
  readonly skipped_rows: number;
  /** Columns that the mapping does not use. With `keepColumns` they are written nevertheless. */
  readonly unused_columns: readonly string[];
  /** Cells that look damaged. They were not changed. */
  readonly suspicious: readonly (Suspicion & { readonly file: string })[];
  /** The same as in a run's summary. */
  readonly never_held?: readonly NeverHeld[];
  /** Warnings about valid records. */
  readonly warnings: readonly MappingWarning[];
  /** By kind, each with its number of cells and the first of them. */
  readonly changes: readonly Change[];
  /** Problems by kind, most frequent first. */
  readonly problems: readonly Problem[];
  readonly duration_ms: number;
  readonly exit_code: number;
}

const MOST_PROBLEMS = 20;

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
          if (recordFailed && INCOMPLETE.has(end.outcome))
            recordFailed({ seq: record.seq, row: leadRowNumber(record), key, outcome: end });
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
    const outcomes = statistics.outcomes();
    const neverHeld = neverHeldIn(sourceFiles(inputs.files, options));
    return {
      command: 'clean',
      resource: options.resource.name,
      files: options.files,
      mapping: inputs.mapping.name,
      out: options.out ?? null,
      rejects: options.rejects ?? null,
      records: statistics.records,
      outcomes,
      empty_rows: inputs.files.reduce((sum, { emptyRows }) => sum + emptyRows.all().rows, 0),
      skipped_rows: inputs.files.reduce((sum, { skipped }) => sum + skipped.rows, 0),
      unused_columns: [...new Set(inputs.files.flatMap(({ binding }) => binding.unused))],
      suspicious: inputs.files.flatMap(({ source, suspicions }) =>
        publicSuspicions(suspicions.all()).map((each) => ({ file: source.table.file, ...each })),
      ),
      ...(neverHeld.length > 0 ? { never_held: neverHeld } : {}),
      warnings: inputs.files.flatMap(({ mappingWarnings }) => shownWarnings(mappingWarnings.all())),
      changes: changes.all(),
      problems: statistics.problems(MOST_PROBLEMS),
      duration_ms: stopwatch.elapsedMs(),
      exit_code: options.exitCodeOf(outcomes),
    };
  } finally {
    await close(inputs);
  }
}

function refuseLosses(options: CleanOptions, lookups: ImportInputs['mapping']['lookups']): void {
  const { out = '-', rejects, commandFiles } = options;
  refuseOverwriting(
    [
      { path: out, says: out === '-' ? 'standard output' : `--out ${out}` },
      ...(rejects === undefined ? [] : [{ path: rejects, says: `--rejects ${rejects}` }]),
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
    return record.rows
      .filter(isFirst)
      .map((row) => returned.line(run, keptRow(row, (row as Partial<CleanRow>).asRead), settled));
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
