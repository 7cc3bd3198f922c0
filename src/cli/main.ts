import yargs, { type Argv } from 'yargs';
import { runAdoptCommand } from './commands/adopt.ts';
import { authCheckCommand } from './commands/auth.ts';
import { cleanCommand } from './commands/clean.ts';
import { register } from './commands/command.ts';
import { demoCommand } from './commands/demo.ts';
import { exportCommand } from './commands/export.ts';
import { runResumeCommand, runRetryCommand } from './commands/go-on.ts';
import { importCommand } from './commands/import.ts';
import {
  mappingCheckCommand,
  mappingListCommand,
  mappingSchemaCommand,
  mappingShowCommand,
} from './commands/mapping.ts';
import { runResolveCommand } from './commands/resolve.ts';
import { runListCommand, runReportCommand, runShowCommand } from './commands/run.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { runUndoCommand } from './commands/undo.ts';
import { validateCommand } from './commands/validate.ts';
import { version } from './context.ts';
import { EXIT_CODES, exitCodeHelp } from './exit-codes.ts';
import { hideDash } from './standard-input.ts';

/** Runs one command line. Sets the exit code; ends when the command's work has ended. */
export async function main(argv: readonly string[]): Promise<void> {
  const root = yargs(hideDash(argv))
    .scriptName('storeport')
    .usage("$0 <command>\n\nMoves a shop's data in and out of a store, in bulk, and accounts for every row.")
    .version(version())
    .alias({ help: 'h', version: 'v' })
    .locale('en')
    .wrap(Math.min(110, process.stdout.columns ?? 100))
    .parserConfiguration({ 'greedy-arrays': false })
    .strict()
    .demandCommand(1, 'Name a command.')
    .recommendCommands()
    .epilogue(exitCodeHelp())
    .fail((message, error) => {
      if (error) throw error;
      process.stderr.write(`Error: ${inWords(message, argv)}\n`);
      process.exit(EXIT_CODES.wrong.code);
    });

  register(root, importCommand);
  register(root, validateCommand);
  register(root, cleanCommand);
  register(root, exportCommand);
  group(root, 'run', 'Runs of the past: list, show, resume, retry, resolve, report, undo, adopt', (run) => {
    register(run, runListCommand);
    register(run, runShowCommand);
    register(run, runResumeCommand);
    register(run, runRetryCommand);
    register(run, runResolveCommand);
    register(run, runUndoCommand);
    register(run, runAdoptCommand);
    register(run, runReportCommand);
  });
  group(root, 'mapping', 'Mappings from columns to fields: list, show, check, schema', (mapping) => {
    register(mapping, mappingListCommand);
    register(mapping, mappingShowCommand);
    register(mapping, mappingCheckCommand);
    register(mapping, mappingSchemaCommand);
  });
  group(root, 'auth', 'Credentials: check', (auth) => {
    register(auth, authCheckCommand);
  });
  register(root, sandboxCommand);
  register(root, demoCommand);
  await root.parseAsync();
}

/** Commands of two words. */
function group(root: Argv, name: string, summary: string, add: (group: Argv) => void): void {
  root.command(name, summary, (yargs) => {
    add(yargs);
    return yargs.demandCommand(1, `${name} needs one more word.`);
  });
}

/** What yargs says of a slip, with what to do next. */
function inWords(message: string, argv: readonly string[]): string {
  const words = argv.filter((arg) => !arg.startsWith('-'));
  const [, meant] = /^Did you mean (.+)\?$/.exec(message) ?? [];
  if (meant !== undefined) return `There is no command "${words.join(' ')}". Did you mean ${meant}?`;
  const [command = ''] = words;
  const said = message.startsWith('Not enough non-option arguments')
    ? `${command} needs more than that.`
    : message;
  return `${said}\n  See: storeport ${command === '' ? '' : `${command} `}--help`;
}
