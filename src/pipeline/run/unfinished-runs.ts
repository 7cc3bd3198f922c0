import { join } from 'node:path';
import { countedRuns } from '../../ledger/index.ts';
import { existsSync } from '../../model/files/fs.ts';
import { PLAIN_REPORT_COMMANDS, REPORT_FILES, WORKBOOK_FILES } from '../../report/index.ts';
import { type NextCommand, nextCommands } from './next-commands.ts';

/** A run with something left to do. */
export interface UnfinishedRun {
  readonly run: string;
  /** True if it has not ended: it is at work, or was killed. */
  readonly isOpen: boolean;
  /** Commands that would finish it. */
  readonly next: readonly NextCommand[];
  /** The import of its corrected rows; undefined if it has none. */
  readonly toCorrect?: string | undefined;
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
    const isWrong = (outcomes.invalid ?? 0) + (outcomes.rejected ?? 0) > 0;
    const isImport = run.command === 'import' && run.remembered && run.state === 'done';
    const errors = ERROR_FILES.filter((name) => existsSync(join(run.out, name)));
    const toCorrect =
      isImport && isWrong && errors.length > 0
        ? PLAIN_REPORT_COMMANDS.importRows({ ...run, reports: { errors } }, run.options)
        : undefined;
    const next = nextCommands(run, outcomes);
    const isOpen = run.state === 'running' && run.remembered;
    return isOpen || next.length > 0 || toCorrect !== undefined
      ? [{ run: run.id, isOpen, next, toCorrect }]
      : [];
  });
}
