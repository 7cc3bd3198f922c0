import { readFileSync } from 'node:fs';
import { packageFile } from '../model/index.ts';
import type { BesideFiles } from '../pipeline/index.ts';
import { createMask } from '../store/mask/mask.ts';
import type { Log } from './output/logger.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';

/** What every command is given: the way out for text, the log, the environment. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  /** Files that the command must not write over, and its log, which it must not write over either. */
  readonly beside: BesideFiles;
  /**
   * From now on the first SIGINT, SIGTERM or SIGHUP fires the signal, for an orderly end, and the second leaves at once.
   * A command that does not ask for it just ends. `leaving`: called before that, for the last words.
   */
  onInterrupt(leaving?: () => void): AbortSignal;
}

export interface CommonArguments {
  readonly home: string;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly progress: boolean;
  readonly logLevel?: string | undefined;
  readonly logFile?: string | undefined;
}

/** Made first: whatever goes wrong after it is said through it. */
export function createTerminalFor({
  quiet,
  json,
  progress,
}: Pick<CommonArguments, 'quiet' | 'json' | 'progress'>): Terminal {
  return createTerminal({ quiet, json, progress, mask: createMask([]) });
}

export function createContext(
  { json }: CommonArguments,
  terminal: Terminal,
  environment: CommandContext['environment'],
  log: Log,
  beside: BesideFiles,
): CommandContext {
  return { terminal, log, environment, json, beside, onInterrupt };
}

/** Says it on the terminal and in the log. */
export function warn({ terminal, log }: Pick<CommandContext, 'terminal' | 'log'>, message: string): void {
  terminal.note(`Warning: ${message}`);
  log.warn({}, message);
}

/** Calls `end` when the user interrupts, or at once if that was before: the signal fires only once. */
export function whenInterrupted(interrupted: AbortSignal, end: () => void): void {
  if (interrupted.aborted) end();
  else interrupted.addEventListener('abort', end);
}

/** The last words of a command that writes files. */
export const LEFT_FILES =
  'Left at once: files that were there stay as they were. To go on: run the same command again.';

function onInterrupt(leaving?: () => void): AbortSignal {
  const controller = new AbortController();
  const react = () => {
    if (controller.signal.aborted) {
      leaving?.();
      process.exit(130);
    }
    controller.abort();
  };
  process.on('SIGINT', react);
  process.on('SIGTERM', react);
  // A terminal that is closed, a connection that drops: the work ends as orderly.
  process.on('SIGHUP', react);
  return controller.signal;
}

export function version(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
