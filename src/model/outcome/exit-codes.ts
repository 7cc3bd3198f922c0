import { ConfigError, RunStopped, type StopReason } from '../errors.ts';
import { INCOMPLETE, type OutcomeStatus } from './outcome.ts';

/** All exit codes. The help and the docs are generated from this table. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'everything done' },
  incomplete: {
    code: 1,
    meaning:
      'done, but some records were invalid, rejected, failed, not possible (unsent) or are in doubt; with --strict, also findings',
  },
  wrong: { code: 2, meaning: 'the command, configuration or mapping is wrong; nothing was sent' },
  stopped: {
    code: 3,
    meaning:
      'stopped early: credentials refused, store unreachable or not the API, disk full; an import can be resumed',
  },
  interrupted: { code: 130, meaning: 'interrupted; an import can be resumed' },
} as const;

/** Exit code of a run that completed or stopped early. */
export function exitCodeOf(
  outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>,
  stopped?: StopReason,
): number {
  if (stopped) return exitCodeOfStop(stopped);
  const incomplete = [...INCOMPLETE].some((word) => (outcomes[word] ?? 0) > 0);
  return incomplete ? EXIT_CODES.incomplete.code : EXIT_CODES.done.code;
}

/** Exit code for an error that ended the command; undefined for a bug. */
export function exitCodeOfError(error: unknown): number | undefined {
  if (error instanceof ConfigError) return EXIT_CODES.wrong.code;
  return error instanceof RunStopped ? exitCodeOfStop(error.reason) : undefined;
}

function exitCodeOfStop(reason: StopReason): number {
  return reason === 'interrupted' ? EXIT_CODES.interrupted.code : EXIT_CODES.stopped.code;
}
