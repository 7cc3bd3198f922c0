import type { Argv, Options } from 'yargs';
import { ConfigError } from '../../model/index.ts';
import { type CommonArguments, type Context, createContext, createTerminalFor } from '../context.ts';
import { EXIT_CODES, exitCodeOfError } from '../exit-codes.ts';
import { COMMON_OPTIONS, optionsFrom } from '../options.ts';
import { readEnvironment } from '../settings.ts';
import { restoreDash } from '../standard-input.ts';
import type { Terminal } from '../terminal.ts';

/** One command: how it is called, and what it does. Resolves with the exit code. */
export interface Command<Args> {
  /** As yargs writes it, such as `import <resource> <files..>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Options>>;
  readonly examples?: readonly (readonly [string, string])[];
  readonly positionals?: (yargs: Argv) => Argv;
  /** What stands at the end of its help. */
  readonly epilogue?: () => string;
  readonly run: (args: Args & CommonArguments, context: Context) => Promise<number>;
}

/** Adds a command. Its options may come from the environment; the exit code is set, never forced. */
export function register<Args>(yargs: Argv, command: Command<Args>): Argv {
  const options = { ...command.options, ...COMMON_OPTIONS };
  return yargs.command(
    command.usage,
    command.summary,
    (builder) => {
      const positioned = command.positionals?.(builder) ?? builder;
      const withOptions = positioned.options(options).config(optionsFrom(environmentSoFar(), options));
      for (const [example, what] of command.examples ?? []) withOptions.example(example, what);
      return command.epilogue ? withOptions.epilogue(command.epilogue()) : withOptions;
    },
    async (parsed) => {
      const args = lastOf(parsed, options) as Args & CommonArguments;
      const terminal = createTerminalFor(args);
      // What is thrown where nobody waits for it, in a timer or an event: Node would print it past the mask.
      process.on('uncaughtException', (error) => process.exit(report(error, terminal, args.json)));
      const run = async () => command.run(args, await createContext(args, terminal));
      process.exitCode = await run().catch((error: unknown) => report(error, terminal, args.json));
    },
  );
}

/** What is wrong with the environment is said when the command runs, not while its options are read. */
function environmentSoFar(): ReturnType<typeof readEnvironment> {
  try {
    return readEnvironment();
  } catch {
    return process.env;
  }
}

/** An option that is given twice counts as it was given last, but for those that are lists. */
function lastOf(parsed: object, options: Readonly<Record<string, Options>>): unknown {
  const entries = Object.entries(parsed).map(([name, value]) => {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const single = options[dashed] !== undefined && !options[dashed].array;
    return [name, restoreDash(single && Array.isArray(value) ? value.at(-1) : value)];
  });
  return Object.fromEntries(entries);
}

/** What went wrong, in a sentence, with what to do. Only a bug shows its stack. */
function report(error: unknown, terminal: Terminal, json: boolean): number {
  const code = exitCodeOfError(error);
  const { message, hints = [], reason } = error as Error & { hints?: readonly string[]; reason?: string };
  if (code === undefined) {
    terminal.error(`This is a bug in storeport: ${(error as Error).stack ?? String(error)}`);
    return EXIT_CODES.stopped.code;
  }
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
