import type { CommandFiles } from '../pipeline/index.ts';
// Not from the index, which loads the HTTP client: every command runs this.
import { createMask } from '../store/mask/mask.ts';
import type { CommandWatch } from '../ui/index.ts';
import type { DescribedCommand } from './described-command.ts';
import type { CommandIo, Ending, Environment } from './io.ts';
import type { Log } from './output/logger.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';

/** Terminal, log and environment of a command. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly log: Log;
  /** Streams, variables and the end of the program. Without the variables of `.env`. */
  readonly io: CommandIo;
  readonly environment: Environment;
  readonly json: boolean;
  /** Files that the command must not overwrite, including its log. */
  readonly commandFiles: CommandFiles;
  /**
   * Makes the first of `INTERRUPTS` abort the returned signal, and the second exit at once. Without a call,
   * the first one ends the process. `leaving`: called before the exit, for a final message.
   */
  onInterrupt(leaving?: () => void): AbortSignal;
  /** Calls back when the command line ends, also at once. Returns a function that forgets the listener. */
  readonly onExit: Ending['onExit'];
  /** Follows and holds a command that `storeport ui` runs; undefined on the command line. */
  readonly watch?: CommandWatch | undefined;
  /**
   * Resolves another command line to a function that runs it. `environment`: variables that set its options. Default: those
   * of the process. Throws ConfigError if the line is wrong.
   */
  readonly commandOf: (
    argv: readonly string[],
    environment?: CommandContext['environment'],
  ) => Promise<(context: CommandContext) => Promise<number>>;
  /** All commands by name, in the order of the help. */
  readonly commands: ReadonlyMap<string, DescribedCommand>;
}

export interface CommonArguments {
  readonly home: string;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly progress: boolean;
  readonly logLevel?: string | undefined;
  readonly logFile?: string | undefined;
}

/** Creates the terminal. Needed before anything that can fail, since it prints the errors. */
export function createTerminalFor(
  { quiet, json, progress }: Pick<CommonArguments, 'quiet' | 'json' | 'progress'>,
  io: CommandIo,
  ending: Ending,
): Terminal {
  return createTerminal({ quiet, json, progress, mask: createMask([]), io, exit: ending.exit });
}

/** Writes a warning to the terminal and the log. */
export function warn({ terminal, log }: Pick<CommandContext, 'terminal' | 'log'>, message: string): void {
  terminal.note(`Warning: ${message}`);
  log.facts?.note(message);
  log.warn({}, message);
}

/** Calls `end` when the user interrupts, or at once if that has happened: the signal fires only once. */
export function whenInterrupted(interrupted: AbortSignal, end: () => void): void {
  if (interrupted.aborted) end();
  else interrupted.addEventListener('abort', end);
}

/** Final message of an interrupted command that writes files. */
export const LEFT_FILES =
  'Stopped at once: files that existed before are unchanged. To continue: run the same command again.';

export { packageVersion as version } from '../model/index.ts';
