import { asDamage, ConfigError } from '../../model/index.ts';
import { type CommandContext, type CommonArguments, createContext } from '../context.ts';
import { EXIT_CODES, exitCodeOfError } from '../exit-codes.ts';
import type { Positional } from '../options/arguments.ts';
import type { OptionTable } from '../options/options.ts';
import { type Log, SILENT } from '../output/logger.ts';
import type { Terminal } from '../output/terminal.ts';

/** One command: how it is called, and what it does. Resolves with the exit code. */
export interface Command<Args> {
  /** Its last word and what stands behind it, such as `import <resource> <files..>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: OptionTable;
  readonly examples?: readonly (readonly [string, string])[];
  /** By the names in `usage`. */
  readonly positionals?: Readonly<Record<string, Positional>>;
  /** What stands at the end of its help. */
  readonly epilogue?: () => string;
  readonly run: (args: Args & CommonArguments, context: CommandContext) => Promise<number>;
}

/** A command whose arguments nobody looks into. */
export type AnyCommand = Command<never>;

/** Runs a command; the exit code is set, never forced. Throws what `report` can tell. */
export async function runAndReport(
  command: AnyCommand,
  args: CommonArguments,
  terminal: Terminal,
  environment: CommandContext['environment'],
  log: Log,
  beside: CommandContext['beside'],
): Promise<void> {
  // What is thrown where nobody waits for it, in a timer or an event: Node would print it past the mask.
  process.on('uncaughtException', (error) => process.exit(report(error, terminal, args.json, log)));
  const context = createContext(args, terminal, environment, log, beside);
  try {
    process.exitCode = await command.run(args as CommonArguments & never, context);
  } catch (error) {
    throw asDamage(error, args.home) ?? error;
  }
}

/** What went wrong, in a sentence, with what to do. Only a bug shows its stack. */
export function report(error: unknown, terminal: Terminal, json: boolean, log: Log = SILENT): number {
  const code = exitCodeOfError(error);
  const { message, hints = [], reason } = error as Error & { hints?: readonly string[]; reason?: string };
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
        error: {
          kind: error instanceof ConfigError ? 'configuration' : 'stopped',
          reason: reason ?? null,
          message,
          hints,
        },
        exit_code: code,
      }),
    );
  return code;
}
