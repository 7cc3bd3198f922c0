import { join } from 'node:path';
import { countedRuns } from '../../ledger/index.ts';
import { existsSync } from '../../model/files/fs.ts';
import { REPORT_FILES, WORKBOOK_FILES } from '../../report/index.ts';
import { type NextCommand, nextCommands } from './next-commands.ts';

/** A run with something left to do. */
export interface UnfinishedRun {
  readonly run: string;
  readonly resource: string;
  /** True if it has not ended: it is at work, or was killed. */
  readonly isOpen: boolean;
  /** Commands that would finish it. */
  readonly next: readonly NextCommand[];
  /** Files with rows to correct, for an import. */
  readonly errors: readonly string[];
}

/** Older runs are not looked at: counting the records of large ones takes time. */
const MOST_RUNS = 3;

const ERROR_FILES = [REPORT_FILES.errors, WORKBOOK_FILES.errors];

/**
 * The latest runs under `home` that are not finished. Reads only: it creates no ledger, and settles no run that was
 * killed. Throws ConfigError if the ledger cannot be read.
 */
export function unfinishedRuns(home: string): UnfinishedRun[] {
  return countedRuns(home, MOST_RUNS).flatMap(({ run, outcomes }) => {
    const toCorrect = (outcomes.invalid ?? 0) + (outcomes.rejected ?? 0);
    const isImport = run.command === 'import' && run.remembered && run.state === 'done';
    const errors =
      isImport && toCorrect > 0
        ? ERROR_FILES.map((name) => join(run.out, name)).filter((file) => existsSync(file))
        : [];
    const next = nextCommands(run, outcomes);
    const isOpen = run.state === 'running' && run.remembered;
    return isOpen || next.length > 0 || errors.length > 0
      ? [{ run: run.id, resource: run.resource, isOpen, next, errors }]
      : [];
  });
}
