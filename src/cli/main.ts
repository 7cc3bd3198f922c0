import { inFolder } from '../model/files/fs.ts';
import { ConfigError, inCommandLine, type RunningLine, setThreadLine } from '../model/index.ts';
import { COMMON_OPTIONS, type OptionTable, variableOf, YES_OR_NO } from '../options/index.ts';
import { createFacts } from './command-facts.ts';
import { openCommandLog } from './command-log.ts';
import { runAdoptCommand } from './commands/adopt.ts';
import { authCheckCommand } from './commands/auth.ts';
import { cleanCommand } from './commands/clean.ts';
import { type AnyCommand, report, runForCode } from './commands/command.ts';
import { completionCommand } from './commands/completion.ts';
import { demoCommand } from './commands/demo.ts';
import { exportCommand } from './commands/export.ts';
import { fleetAdoptCommand } from './commands/fleet/adopt.ts';
import { fleetResumeCommand, fleetRetryCommand, fleetStopCommand } from './commands/fleet/control.ts';
import { fleetGetCommand } from './commands/fleet/get.ts';
import { fleetInitCommand } from './commands/fleet/init.ts';
import { fleetListCommand, fleetShowCommand } from './commands/fleet/list.ts';
import { fleetResolveCommand } from './commands/fleet/resolve.ts';
import { fleetRunExportCommand, fleetRunImportCommand } from './commands/fleet/run.ts';
import {
  fleetScheduleAddCommand,
  fleetScheduleListCommand,
  fleetSchedulePauseCommand,
  fleetScheduleRemoveCommand,
} from './commands/fleet/schedule.ts';
import { fleetServeCommand } from './commands/fleet/serve.ts';
import {
  fleetStoreAddCommand,
  fleetStoreListCommand,
  fleetStoreRemoveCommand,
} from './commands/fleet/store.ts';
import { fleetWorkerCommand } from './commands/fleet/worker.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import {
  mappingCheckCommand,
  mappingListCommand,
  mappingSchemaCommand,
  mappingShowCommand,
} from './commands/mapping.ts';
import { migrateCommand } from './commands/migrate.ts';
import { runPruneCommand } from './commands/prune.ts';
import { runResolveCommand } from './commands/resolve.ts';
import { runResumeCommand, runRetryCommand } from './commands/resume.ts';
import { runListCommand, runReportCommand, runShowCommand } from './commands/run.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { mappingSuggestCommand } from './commands/suggest.ts';
import { uiCommand } from './commands/ui.ts';
import { runUndoCommand } from './commands/undo.ts';
import { validateCommand } from './commands/validate.ts';
import { type CommandContext, type CommonArguments, createTerminalFor, version } from './context.ts';
import { GROUPS } from './described-command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import {
  allOptions,
  findCommand,
  membersOf,
  misspelledVariables,
  refuseUnknownOptions,
} from './find-command.ts';
import { type CommandIo, type Ending, type Environment, openEnding } from './io.ts';
import { asksForTelemetry } from './monitoring/asks-for-telemetry.ts';
import type { Monitor, MonitorArguments } from './monitoring/monitor.ts';
import { withNearestName } from './nearest-name.ts';
import { optionValues, positionalValues } from './options/arguments.ts';
import { commandFilesOf } from './options/command-files.ts';
import { type CommandLine, type KindOf, readCommandLine } from './options/command-line.ts';
import { profileOf, readEnvironment } from './options/settings.ts';
import { hasColour, paintCommands, paintHelp, paintMessage } from './output/colour.ts';
import { welcome } from './output/first-steps.ts';
import type { Log } from './output/logger.ts';
import type { Terminal } from './output/terminal.ts';
import { runningLineOf } from './running-line.ts';
import { homeIn, standingOf } from './standing.ts';

/** All commands by name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, AnyCommand> = new Map<string, AnyCommand>([
  ['import', importCommand],
  ['validate', validateCommand],
  ['clean', cleanCommand],
  ['migrate', migrateCommand],
  ['export', exportCommand],
  ['run list', runListCommand],
  ['run show', runShowCommand],
  ['run resume', runResumeCommand],
  ['run retry', runRetryCommand],
  ['run resolve', runResolveCommand],
  ['run undo', runUndoCommand],
  ['run adopt', runAdoptCommand],
  ['run report', runReportCommand],
  ['run prune', runPruneCommand],
  ['mapping list', mappingListCommand],
  ['mapping show', mappingShowCommand],
  ['mapping check', mappingCheckCommand],
  ['mapping suggest', mappingSuggestCommand],
  ['mapping schema', mappingSchemaCommand],
  ['fleet init', fleetInitCommand],
  ['fleet worker', fleetWorkerCommand],
  ['fleet store add', fleetStoreAddCommand],
  ['fleet store list', fleetStoreListCommand],
  ['fleet store remove', fleetStoreRemoveCommand],
  ['fleet run import', fleetRunImportCommand],
  ['fleet run export', fleetRunExportCommand],
  ['fleet schedule add', fleetScheduleAddCommand],
  ['fleet schedule list', fleetScheduleListCommand],
  ['fleet schedule pause', fleetSchedulePauseCommand],
  ['fleet schedule remove', fleetScheduleRemoveCommand],
  ['fleet list', fleetListCommand],
  ['fleet show', fleetShowCommand],
  ['fleet get', fleetGetCommand],
  ['fleet stop', fleetStopCommand],
  ['fleet resume', fleetResumeCommand],
  ['fleet retry', fleetRetryCommand],
  ['fleet adopt', fleetAdoptCommand],
  ['fleet resolve', fleetResolveCommand],
  ['fleet serve', fleetServeCommand],
  ['ui', uiCommand],
  ['init', initCommand],
  ['auth check', authCheckCommand],
  ['sandbox', sandboxCommand],
  ['demo', demoCommand],
  ['completion', completionCommand],
]);

/**
 * Runs one command line, with all that it uses of the program. Resolves with the exit code when the command has finished;
 * mistakes are reported on `stderr`, and nothing is thrown for them.
 */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  const ending = openEnding(io);
  const code = await Promise.race([inFolder(io.cwd, () => runLine(argv, io, ending)), ending.left]);
  ending.end(code);
  return code;
}

async function runLine(argv: readonly string[], io: CommandIo, ending: Ending): Promise<number> {
  const line = asHelp(readCommandLine(argv, kinds()));
  let terminal: Terminal | undefined;
  let environment: Environment = io.env;
  let call: Call | undefined;
  let log: Log | undefined;
  let monitor: Monitor | undefined;
  let code: number;
  try {
    if (line.version) return print(version(), io, ending);
    if (line.help) return print(await help(line, io), io, ending);
    environment = readEnvironment(io.env);
    if (line.words.length === 0) return await greet(line, environment, { io, ending });
    call = await callOf(line, environment);
    terminal = createTerminalFor(call.args, io, ending);
    for (const warning of await misspelledVariables(environment, COMMANDS))
      terminal.error(`Warning: ${warning}`);
    const commandFiles = await commandFilesOf(call.args);
    const { resource, profile } = call.args;
    const facts = createFacts(call.name, { resource, profile: profileOf({ profile }, environment) });
    const { onExit, onInterrupt } = ending;
    log = await openCommandLog(call.args, facts, { terminal, onExit, stderr: io.stderr });
    const watched: MonitorArguments = call.args;
    if (watched.notify !== undefined || watched.metrics !== undefined || asksForTelemetry(io.env)) {
      const { openMonitor } = await import('./monitoring/monitor.ts');
      monitor = openMonitor(watched, facts, { terminal, log, environment, io, onExit });
    }
    const { command, args, running } = call;
    const context: CommandContext = {
      ...{ terminal, log, environment, io, json: args.json, commandFiles, onInterrupt, onExit },
      commands: COMMANDS,
      commandOf: (words, own = environment) => commandOf(words, own),
    };
    code = await asRunning(running, io, () => runForCode(command, args, context));
  } catch (error) {
    const json = call?.args.json ?? wantsJson(line, environment);
    terminal ??= createTerminalFor({ quiet: false, json, progress: false }, io, ending);
    code = report(withVariables(await withNearestName(error), call?.fromEnvironment ?? []), {
      terminal,
      json,
      log,
    });
  }
  await monitor?.end(code);
  return code;
}

/** Runs a command line so that it prints commands that go with it. */
function asRunning<Result>(line: RunningLine, { process }: CommandIo, run: () => Result): Result {
  if (!process) return inCommandLine(line, run);
  setThreadLine(line);
  return run();
}

/** Arguments that many commands have. */
interface NamedArguments {
  readonly resource?: unknown;
  readonly profile?: string | undefined;
}

interface Call {
  /** Name of the command. */
  readonly name: string;
  readonly command: AnyCommand;
  readonly args: CommonArguments & MonitorArguments & NamedArguments;
  /** Options set by the environment. */
  readonly fromEnvironment: readonly string[];
  readonly running: RunningLine;
}

/** Resolves a command line to its command and arguments. Throws ConfigError if either is wrong. */
export async function callOf(line: CommandLine, environment: CommandContext['environment']): Promise<Call> {
  const found = await findCommand(line.words, COMMANDS);
  const { name, command, words } = found;
  const { values, fromEnvironment } = optionValues(allOptions(command), line, environment);
  await refuseUnknownOptions(line, found, COMMANDS);
  const usage = [...name.split(' ').slice(0, -1), command.usage].join(' ');
  const args = { ...values, ...positionalValues(usage, command.positionals ?? {}, words) };
  const running = runningLineOf(line, found, args);
  return { name, command, args: args as unknown as Call['args'], fromEnvironment, running };
}

/** Resolves a command line to a function that runs it within another process of storeport. */
async function commandOf(argv: readonly string[], environment: CommandContext['environment']) {
  const { command, args, running } = await callOf(readCommandLine(argv, kinds()), environment);
  const commandFiles = await commandFilesOf(args);
  return (context: CommandContext) =>
    inCommandLine({ ...running, isTyped: false }, () =>
      command.run(args as CommonArguments & never, { ...context, commandFiles }),
    );
}

/** Treats `storeport help import` as `storeport import --help`. */
function asHelp(line: CommandLine): CommandLine {
  return line.words[0] === 'help' ? { ...line, words: line.words.slice(1), help: true } : line;
}

const NO_COMMAND = { command: '', words: [], takes: [], isTyped: true } as const;

/** Answers a call without a command: an error for scripts, a welcome for people. */
async function greet(
  line: CommandLine,
  environment: Environment,
  { io, ending }: { readonly io: CommandIo; readonly ending: Ending },
): Promise<number> {
  const json = wantsJson(line, environment);
  const terminal = createTerminalFor({ quiet: false, json, progress: false }, io, ending);
  if (json) report(new ConfigError('No command is named.', ['See: storeport --help']), { terminal, json });
  else {
    const home = homeIn(line, environment);
    const options = { home: home === COMMON_OPTIONS.home.default ? undefined : home };
    const text = await asRunning({ ...NO_COMMAND, options }, io, async () =>
      welcome(await standingOf(home, environment)),
    );
    terminal.error(text, (shown) => paintCommands(paintMessage(shown)));
  }
  return EXIT_CODES.wrong.code;
}

async function help({ words, helpAll: all }: CommandLine, { stdout, env }: CommandIo): Promise<string> {
  const group = words.join(' ');
  const isGroup = words.length === 0 || membersOf(group, COMMANDS).length > 0;
  // Throws with the nearest name for a mistyped command.
  const name = isGroup ? group : (await findCommand(words, COMMANDS)).name;
  const { helpText } = await import('./help.ts');
  const contents = { commands: COMMANDS, groups: GROUPS, all, columns: stdout.columns };
  const text = await helpText(name === '' ? [] : name.split(' '), contents);
  return hasColour(stdout, env) ? paintHelp(text) : text;
}

function print(text: string, io: CommandIo, ending: Ending): number {
  createTerminalFor({ quiet: false, json: false, progress: false }, io, ending).publish(text);
  return EXIT_CODES.done.code;
}

let kindsByName: ReturnType<typeof readKinds> | undefined;

/** Returns the kind of each option. Options of the same name have the same kind in all commands. */
export function kinds(): KindOf {
  kindsByName ??= readKinds();
  return (name) => kindsByName?.get(name);
}

function readKinds() {
  const tables: OptionTable[] = [COMMON_OPTIONS, ...[...COMMANDS.values()].map(({ options }) => options)];
  const options = tables.flatMap((table) => Object.entries(table));
  return new Map(options.map(([name, { type }]) => [name, type === 'boolean' ? 'switch' : 'value'] as const));
}

/** True if errors are also printed as JSON. Read separately, since the error may be in the options themselves. */
function wantsJson({ given }: CommandLine, environment: CommandContext['environment']): boolean {
  const last = given.findLast(({ name }) => name === 'json');
  const text = last ? (last.text ?? 'true') : (environment[variableOf('json')] ?? '');
  return YES_OR_NO.read(text) === true;
}

/** Adds hints for options that were set by a variable, since messages name only the option. */
function withVariables(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ConfigError)) return error;
  const named = names.filter((name) => new RegExp(`--${name}(?![a-z-])`).test(error.message));
  if (named.length === 0) return error;
  const hints = named.map((name) => `--${name} comes from ${variableOf(name)}.`);
  return new ConfigError(error.message, [...error.hints, ...hints]);
}
