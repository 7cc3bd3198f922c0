import { join } from 'node:path';
import {
  ConfigError,
  defuse,
  firstOfShared,
  IN_ERRORS_CSV,
  type KeptRow,
  makePrivateFolder,
  type RecordResult,
} from '../model/index.ts';
import { openAtomicFile, openRows } from '../write/index.ts';
import { FOUND_COLUMN, RESULT_COLUMNS, resultLine, returnTable } from './columns.ts';

export const REPORT_FILES = {
  results: 'results.csv',
  errors: 'errors.csv',
  inDoubt: 'in-doubt.csv',
  summary: 'summary.json',
} as const;

/** The reports of one run, written side by side in one pass. They appear whole, or not at all. */
export interface Reports {
  /** Adds a record; in source order. If a promise is returned, it resolves when more may be added. */
  add(settled: RecordResult): Promise<void> | undefined;
  /** Writes `summary.json` last: if it exists, the others are complete. */
  finish(summary: object): Promise<void>;
  /** Removes everything that was written. */
  abort(): Promise<void>;
}

export interface ReportsOptions {
  readonly folder: string;
  readonly run: string;
  /** Column names of the source. */
  readonly header: readonly string[];
}

/** Lines that are formatted together: few, see the invariant on memory in ARCHITECTURE.md. */
const BATCH = 50;

/**
 * Opens the reports of a run. Creates the folder if necessary, for its owner alone: reports contain customers' data.
 * Throws ConfigError if it cannot be written.
 */
export async function openReports({ folder, run, header }: ReportsOptions): Promise<Reports> {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`The folder for reports, ${folder}, cannot be made: ${message}.`, [
      'Choose another with --out.',
    ]);
  }
  const returned = returnTable(header);
  const results = await openLines(join(folder, REPORT_FILES.results), RESULT_COLUMNS, true);
  const errors = await openLines(join(folder, REPORT_FILES.errors), returned.header);
  const inDoubt = await openLines(join(folder, REPORT_FILES.inDoubt), [...returned.header, FOUND_COLUMN]);
  const all = [results, errors, inDoubt];
  const isFirst = { errors: firstOfShared(), inDoubt: firstOfShared() };

  return {
    add(settled) {
      // These are values, not cells of the source: whoever reads the file restores each one.
      results.push(resultLine(settled).map(defuse));
      const { outcome } = settled.outcome;
      const from = settled.supersededBy?.run ?? run;
      const lineOf = (row: KeptRow) => returned.line(from, row, settled);
      for (const row of settled.rows ?? [])
        if (outcome === 'in-doubt') {
          if (isFirst.inDoubt(row)) inDoubt.push([...lineOf(row), '']);
        } else if (IN_ERRORS_CSV.has(outcome) && isFirst.errors(row)) errors.push(lineOf(row));
      const full = all.filter((each) => each.full());
      return full.length > 0
        ? Promise.all(full.map((each) => each.drain())).then(() => undefined)
        : undefined;
    },
    async finish(summary) {
      for (const file of all) await file.commit();
      const last = await openAtomicFile(join(folder, REPORT_FILES.summary));
      await last.write(`${JSON.stringify(summary, null, 2)}\n`);
      await last.commit();
    },
    async abort() {
      await Promise.all(all.map((file) => file.abort()));
    },
  };
}

interface Lines {
  push(line: string[]): void;
  full(): boolean;
  drain(): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

async function openLines(path: string, columns: readonly string[], raw?: boolean): Promise<Lines> {
  const file = await openRows(path, columns, { raw });
  let lines: string[][] = [];
  const drain = () => {
    const full = lines;
    lines = [];
    return file.write(full);
  };
  return {
    push(line) {
      lines.push(line);
    },
    full: () => lines.length >= BATCH,
    drain,
    async commit() {
      await drain();
      await file.commit();
    },
    abort: () => file.abort(),
  };
}
