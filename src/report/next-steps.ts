import { commandAgain, countOf, grouped, type JsonObject, runCommand } from '../model/index.ts';
import type { ReportCommands } from './format.ts';
import { PLAIN_REPORT_COMMANDS } from './run-commands.ts';
import type { Summary } from './summary.ts';

/** Instructions for the rows to correct. */
const CORRECT: Readonly<Record<Summary['command'], (errors: FileWords) => string>> = {
  import: ({ names, these }) => `correct the rows in ${names}, then import ${these}.`,
  validate: ({ names, verb }) => `${names} ${verb('has', 'have')} the rows to correct.`,
  adopt: ({ names, these }) => `correct the rows in ${names}, then adopt ${these}.`,
  undo: ({ names, verb }) => `${names} ${verb('says', 'say')} why the store refused; correct that first.`,
};

/** Words about one file, or about a workbook and the CSV file with the rows that it cannot hold. */
interface FileWords {
  readonly names: string;
  readonly these: string;
  readonly verb: (one: string, many: string) => string;
}

function fileWords(files: readonly string[]): FileWords {
  const isOne = files.length === 1;
  return {
    names: isOne ? (files[0] ?? '') : `${files.join(' and ')} (rows that a workbook cannot hold)`,
    these: isOne ? 'that file' : 'both files',
    verb: (one, many) => (isOne ? one : many),
  };
}

/** Codes of records whose `_id` cannot be an identifier of the store. */
const NOT_AN_ID: ReadonlySet<string> = new Set(['not-an-id']);

/** Status of an update to a record that the store does not have. */
const NOT_FOUND = 404;

/** Codes of records that were rejected, usually not by the store but by a system in between. */
const IN_BETWEEN: ReadonlySet<string> = new Set(['redirected', 'refused-by-page']);

/** Codes of records that an undo put into the trash. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['taken-back']);

/** Codes of records that waited for a doubt. */
const DOUBT_OVER: ReadonlySet<string> = new Set(['doubt-over']);

/** Codes of records of an older run that a later one has imported. */
const IMPORTED_SINCE: ReadonlySet<string> = new Set(['imported-since']);

function problemsOf(problems: Summary['problems'], word: string, codes: ReadonlySet<string>): number {
  return problems
    .filter(({ outcome, code }) => outcome === word && codes.has(code))
    .reduce((sum, { count }) => sum + count, 0);
}

/** Outcomes of an undo that did not move the record to the trash. The same command can try again. */
const NOT_UNDONE = ['failed', 'rejected', 'unsent', 'in-doubt'] as const;

/** One thing for a person to do after a run. */
export interface NextStep {
  /** A sentence, with the command in it. */
  readonly text: string;
  /** A command line of this tool that does it; undefined if there is none. */
  readonly command?: string;
}

/** The parts of a summary on which next steps depend. */
export type SummaryToContinue = Pick<
  Summary,
  | 'run'
  | 'command'
  | 'resource'
  | 'outcomes'
  | 'problems'
  | 'stopped'
  | 'files'
  | 'mapping'
  | 'out'
  | 'reports'
>;

/**
 * Returns the next steps after a run with these options, the most urgent first; none if all is done. A report that the summary
 * does not name was not written yet.
 */
export function nextSteps(
  summary: SummaryToContinue,
  options: JsonObject,
  commands: ReportCommands = PLAIN_REPORT_COMMANDS,
): NextStep[] {
  const { outcomes, problems, command, stopped, run, files, mapping, reports } = summary;
  const count = (...words: string[]) => words.reduce((sum, word) => sum + (outcomes[word] ?? 0), 0);
  const [errors, inDoubt] = [fileWords(reports.errors), fileWords(reports.in_doubt)];
  const steps: NextStep[] = [];
  // Commands do not have the functions of the program that made the run.
  const isOfProgram = options.ownRules === true;
  const add = (text: string, command?: string) =>
    void steps.push({ text, ...(command === undefined ? {} : { command }) });
  const addCommand = (text: string, command: string) =>
    isOfProgram ? add(`${text}: run the import of your program again.`) : add(`${text}: ${command}`, command);
  const inBetween = problemsOf(problems, 'rejected', IN_BETWEEN);
  const foreignIds = command === 'adopt' ? 0 : problemsOf(problems, 'invalid', NOT_AN_ID);
  const hasErrors = reports.errors.length > 0;
  if (hasErrors && count('invalid', 'rejected') > inBetween + foreignIds)
    add(
      `To do: ${CORRECT[command](errors)}`,
      command === 'import' && !isOfProgram ? commands.importRows(summary, options) : undefined,
    );
  if (foreignIds > 0) {
    const again = commandAgain({ mode: 'create' });
    add(
      `To do: ${countOf(foreignIds, 'record has', 'records have')} something in "_id" that cannot be an identifier of this store. If that is another system's, rename the column, or give the same command with --mode create${again === undefined ? '.' : `: ${again}`}`,
      again,
    );
  }
  const notInStore = problems
    .filter(({ outcome, http_status }) => outcome === 'rejected' && http_status === NOT_FOUND)
    .reduce((sum, problem) => sum + problem.count, 0);
  if (!stopped && command === 'import' && notInStore > 0)
    add(
      `To do: the store has no record under the identifier of ${grouped(notInStore)} of them. If they come from a column "_id" of another system, import with --mode create, or rename the column.`,
    );
  if (command === 'undo' && (stopped || count(...NOT_UNDONE) > 0)) {
    const undo = runCommand('run undo', mapping.name.replace(/^undo /, ''));
    add(`To put the rest into the trash: ${undo}`, undo);
  }
  if (stopped && command === 'import') {
    const resume = commands.resume(run);
    if (files.some(({ file }) => file === '-'))
      add('To continue: import the same input again; what the store has of it is not sent again.');
    else if (stopped.reason === 'source-changed')
      add(
        'To continue: import the same files again when nothing writes to them any more; what the store has of them is not sent again.',
      );
    else addCommand('To continue', resume);
  }
  const retry = commands.retry(run);
  if (!stopped && command === 'import' && count('failed') > 0)
    addCommand('To do: send again what failed', retry);
  if (!stopped && command === 'import' && inBetween > 0)
    addCommand(
      `To do: ${grouped(inBetween)} ${inBetween === 1 ? 'record' : 'records'} met a redirect or a web page, as of a firewall or a network that wants a login, and not the store's API. With that out of the way`,
      `${retry} --rejected`,
    );
  const released = problemsOf(problems, 'unsent', DOUBT_OVER);
  if (!stopped && released > 0)
    addCommand(
      `To do: ${countOf(released, 'record', 'records')} waited for a doubt that is settled now. To send what differs from the store`,
      retry,
    );
  const older = problemsOf(problems, 'unsent', IMPORTED_SINCE);
  if (!stopped && older > 0)
    addCommand(
      `To know: a later run has imported ${countOf(older, 'record', 'records')} of this one since, so these older values were not sent. To send them all the same`,
      `${retry} --overwrite-newer`,
    );
  const trashed = problemsOf(problems, 'unsent', TAKEN_BACK);
  if (hasErrors && trashed > 0)
    add(
      `To do: ${grouped(trashed)} ${trashed === 1 ? 'record is' : 'records are'} in the trash since an undo. With --set status=PUBLISH (or DRAFT), an import of ${errors.names} brings them back.`,
      commands.importRows(summary, { ...options, set: [...[options.set ?? []].flat(), 'status=PUBLISH'] }),
    );
  if (hasErrors && !stopped && count('unsent') > trashed + released + older)
    add(`Not possible: see the messages in ${errors.names}.`);
  if (count('in-doubt') > 0) {
    const resolve = commands.resolve(run);
    add(
      reports.in_doubt.length === 0
        ? `To do: look in the store for the records in doubt; they may be there. To list them: ${resolve}`
        : `To do: look in the store for the records in ${inDoubt.names}; they may be there. Then: ${resolve}`,
      resolve,
    );
  }
  return steps;
}
