import { asDamage, ConfigError } from '../../model/index.ts';
import type { OptionTable } from '../../options/index.ts';
import type { CommandFacts } from '../command-facts.ts';
import type { CommandContext, CommonArguments } from '../context.ts';
import type { DescribedCommand } from '../described-command.ts';
import { EXIT_CODES, exitCodeOfError } from '../exit-codes.ts';
import { SILENT } from '../output/logger.ts';

/** One command: its usage, options and implementation. */
export interface Command<Args> extends DescribedCommand {
  readonly options: OptionTable;
  /** Names of the options that `--help` shows, in its order; undefined if it shows all. */
  readonly mainOptions?: readonly string[];
  readonly examples?: readonly (readonly [string, string])[];
  /** Returns the text at the end of the help. */
  readonly epilogue?: () => string;
  /** Resolves with the exit code. */
  readonly run: (args: Args & CommonArguments, context: CommandContext) => Promise<number>;
}

/** A command of unknown argument type. */
export type AnyCommand = Command<never>;

/** Runs a command and resolves with its exit code. Throws errors for `report`. */
export async function runForCode(
  command: AnyCommand,
  args: CommonArguments,
  context: CommandContext,
): Promise<number> {
  // Node would print them without the mask.
  context.io.process?.onUncaught((error) => report(error, context));
  try {
    return await command.run(args as CommonArguments & never, context);
  } catch (error) {
    throw asDamage(error, args.home) ?? asMissingBinary(error) ?? asGoneFolder(error) ?? error;
  }
}

/**
 * Converts the error of a machine that cannot load the binary of libsql, which each system has as a package of its own.
 * Returns undefined for any other error.
 */
export function asMissingBinary(error: unknown, system = `${process.platform}-${process.arch}`) {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  const isAbsent = code === 'MODULE_NOT_FOUND' && message.includes('@libsql/');
  if (!isAbsent && !(code === 'ERR_DLOPEN_FAILED' && message.includes('libsql'))) return undefined;
  const [what] = message.split(/\r?\n/);
  return new ConfigError(`The database of storeport cannot be loaded on ${system}: ${what}`, [
    'It runs on Linux, macOS and Windows on x64, and on Linux and macOS on arm64.',
    isAbsent
      ? 'Install storeport again on this machine, with optional dependencies: npm install -g --include=optional storeport'
      : system.startsWith('win32')
        ? 'Install the Microsoft Visual C++ Redistributable (vcruntime140.dll), then run this command again.'
        : 'Install storeport again on this machine: npm install -g storeport',
  ]);
}

/** Converts the error of a process whose working folder was removed. Returns undefined for any other error. */
export function asGoneFolder(error: unknown): ConfigError | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'uv_cwd') return undefined;
  return new ConfigError('The folder in which this command runs was removed or replaced.', [
    'Change into it again, or into another one: cd "$PWD"',
  ]);
}

/** Outputs of a command for its errors. There may be no log yet. */
export interface ErrorOutputs extends Pick<CommandContext, 'terminal' | 'json'> {
  readonly log?: CommandContext['log'] | undefined;
}

/** Prints and logs an error with its hints, and returns the exit code. Only a bug shows its stack. */
export function report(error: unknown, { terminal, json, log = SILENT }: ErrorOutputs): number {
  const code = exitCodeOfError(error);
  const { message, hints = [], reason } = error as Error & { hints?: readonly string[]; reason?: string };
  const kind = code === undefined ? 'bug' : error instanceof ConfigError ? 'configuration' : 'stopped';
  if (log.facts) log.facts.error = { kind, reason: reason ?? null, message };
  if (code === undefined) {
    log.error({ stack: (error as Error).stack ?? String(error) }, 'This is a bug in storeport.');
    terminal.error(`This is a bug in storeport: ${(error as Error).stack ?? String(error)}`);
    return EXIT_CODES.stopped.code;
  }
  log.error({ reason, hints, exit_code: code }, message);
  terminal.error([`Error: ${message}`, ...hints.map((hint) => `  ${hint}`)].join('\n'));
  if (json)
    terminal.out(
      JSON.stringify({
        error: { kind, reason: reason ?? null, message, hints },
        ...aboutCommand(log.facts),
        exit_code: code,
      }),
    );
  return code;
}

/** Time, command and store, for a JSON error. */
function aboutCommand(facts: CommandFacts | undefined): object {
  if (facts === undefined) return {};
  const { command, store = null, profile = null, run = null, stopwatch } = facts;
  const times = {
    started_at: stopwatch.startedAt.toISOString(),
    finished_at: stopwatch.date().toISOString(),
  };
  return { command, store, profile, run, ...times };
}
