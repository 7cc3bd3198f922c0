import { type Metric, type Stopwatch, startStopwatch } from '../model/index.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The error that ended a command. */
export interface CommandError {
  readonly kind: 'configuration' | 'stopped' | 'bug';
  readonly reason: string | null;
  readonly message: string;
}

/** Facts about a command, collected while it runs. Nothing secret. */
export interface CommandFacts {
  /** Its name, such as `run resume`. */
  readonly command: string;
  /** Started with the command. */
  readonly stopwatch: Stopwatch;
  resource?: string | undefined;
  store?: string | undefined;
  profile?: string | undefined;
  run?: string | undefined;
  /** The figures of its summary: those of `--json`. */
  summary?: Readonly<Record<string, unknown>> | undefined;
  error?: CommandError | undefined;
  /** Figures of its own for the metrics file, of a command that runs for days. */
  figures?: readonly Metric[] | undefined;
  /** Writes the metrics file with the figures as they are now; undefined without such a file. */
  writeFigures?: (() => void) | undefined;
  /** The stages of the command, from the first. */
  readonly stages: readonly Marked[];
  /** Warnings and waits. */
  readonly events: readonly Marked[];
  /** Begins the next stage, which ends the one before. */
  enter(stage: string): void;
  /** Notes a warning or a wait. */
  note(event: string): void;
}

/** A name with the milliseconds since the command began. */
export interface Marked {
  readonly name: string;
  readonly atMs: number;
}

/** Events that are kept: a store in trouble may cause one a second for days. */
const MOST_EVENTS = 100;

/** `resource`: the argument of that name, if the command has one. */
export function createFacts(
  command: string,
  { resource, profile }: { readonly resource?: unknown; readonly profile: string | undefined },
): CommandFacts {
  const stopwatch = startStopwatch();
  const stages: Marked[] = [{ name: 'open', atMs: 0 }];
  const events: Marked[] = [];
  return {
    ...{ command, stopwatch, profile, stages, events },
    resource: typeof resource === 'string' ? resource : undefined,
    enter: (name) => void stages.push({ name, atMs: stopwatch.elapsedMs() }),
    note(name) {
      if (events.length < MOST_EVENTS) events.push({ name, atMs: stopwatch.elapsedMs() });
    },
  };
}

/** The state of a command that ended, in a word: a key of the table of exit codes. */
export function endStateOf(exitCode: number): string {
  const [state] = Object.entries(EXIT_CODES).find(([, { code }]) => code === exitCode) ?? [];
  return state ?? 'stopped';
}

/** Records by outcome, or the items of an export. Empty if there is no summary. */
export function countsIn({ summary }: Pick<CommandFacts, 'summary'>): Readonly<Record<string, number>> {
  const { outcomes, items } = summary ?? {};
  if (typeof outcomes === 'object' && outcomes !== null) return outcomes as Record<string, number>;
  return typeof items === 'number' ? { exported: items } : {};
}
