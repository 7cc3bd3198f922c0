import { join } from 'node:path';
import { readdirSync } from '../../model/files/fs.ts';
import { countOf, grouped } from '../../model/index.ts';
import type { DescribedRun, ListedRun } from '../../pipeline/index.ts';
import {
  hostOf,
  importWords,
  nextSteps,
  REPORT_FILES,
  runSentence,
  WORKBOOK_FILES,
} from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { RunAction, RunLine, RunView } from '../api/index.ts';
import type { UiContext } from '../context.ts';

/** A run of the list as the page shows it. */
export function runLine({ started_at, out: _out, next: _next, ...line }: ListedRun): RunLine {
  const records = Object.values(line.outcomes).reduce((sum, count) => sum + count, 0);
  return { ...line, records, startedAt: started_at };
}

/** Names of the reports of a run that exist, in either form. Only these are served. */
export function reportsFound(out: string): string[] {
  try {
    const found = new Set(readdirSync(out));
    return [...Object.values(REPORT_FILES), ...Object.values(WORKBOOK_FILES)].filter((name) =>
      found.has(name),
    );
  } catch {
    // The user has removed the folder: storeport run report makes it again.
    return [];
  }
}

/**
 * A run with its files, and with what can be done about it. `resources`: those of the store, to know if a run can be
 * undone.
 */
export function runView(run: DescribedRun, context: UiContext, resources: readonly Resource[]): RunView {
  const { known, summary, returned } = run;
  return {
    run: known.id,
    state: known.state,
    stopped: known.stopped?.message ?? null,
    resource: known.resource,
    mode: known.mode,
    store: known.store,
    files: known.files.map(({ file }) => file),
    records: summary.records,
    outcomes: summary.outcomes,
    startedAt: summary.started_at,
    sentence: `${runSentence(summary)}.`,
    durationMs: known.state === 'running' ? Math.max(0, Date.now() - known.startedAt) : known.workedMs,
    mapping: known.mappingName,
    out: context.shown(known.out),
    reportFiles: reportsFound(known.out),
    reportCommand: context.commands.commandLine(['run', 'report', known.id]),
    actions: actionsOf(run, resources, context),
    steps: known.state === 'running' ? [] : nextSteps(summary, known.options),
    returned,
    inDoubt: summary.outcomes['in-doubt'] ?? 0,
  };
}

type Words = Readonly<
  Record<RunAction['kind'], { readonly title: string; effect(run: DescribedRun): string }>
>;

const WORDS: Words = {
  resume: {
    title: 'Resume',
    effect: ({ summary: { not_read: rest } }) =>
      rest
        ? `Reads the other ${countOf(rest, 'record')} and sends them; what the store has is not sent again.`
        : 'Continues from where it stopped; what the store has is not sent again.',
  },
  retry: {
    title: 'Retry',
    effect: ({ summary: { outcomes } }) =>
      `Sends the ${countOf(outcomes.failed ?? 0, 'record')} that failed again.`,
  },
  resolve: {
    title: 'Settle doubts',
    effect: ({ summary: { outcomes } }) =>
      `Shows the ${countOf(outcomes['in-doubt'] ?? 0, 'record')} in doubt: you say which are in the store. Nothing is sent.`,
  },
  fix: {
    title: 'Correct rows',
    effect: ({ returned }) =>
      `Shows the ${countOf(returned, 'row')} that did not arrive. Those that you correct are imported again, and nothing else is.`,
  },
  undo: {
    title: 'Undo',
    effect: ({ known, summary: { outcomes, resource } }) =>
      known.command === 'undo'
        ? 'Puts the rest into the trash.'
        : `Puts the ${grouped(outcomes.created ?? 0)} ${resource} that it created into the trash of ${hostOf(known.store)}. What it updated stays as it is.`,
  },
};

function actionsOf(
  run: DescribedRun,
  resources: readonly Resource[],
  { word: shown, commands }: UiContext,
): RunAction[] {
  const { known, next, returned } = run;
  const action = (kind: RunAction['kind'], id: string, words: readonly string[]): RunAction => {
    const { title, effect } = WORDS[kind];
    return { kind, run: id, title, effect: effect(run), command: commands.commandLine(words) };
  };
  const actions = next.map(({ word, run: id }) => action(word, id, ['run', word, id]));
  if (known.command !== 'import' || known.state === 'running') return actions;
  if (returned > 0) {
    const errors = errorReports(known.out).map((name) => join(known.out, name));
    actions.push(
      action('fix', known.id, ['import', ...importWords(known, errors, { shown, withStore: true })]),
    );
  }
  if (canUndo(run, resources)) actions.push(action('undo', known.id, ['run', 'undo', known.id]));
  return actions;
}

function errorReports(out: string): string[] {
  const found = reportsFound(out).filter(
    (name) => name === REPORT_FILES.errors || name === WORKBOOK_FILES.errors,
  );
  return found.length > 0 ? found : [REPORT_FILES.errors];
}

function canUndo({ known, summary, undoneBy }: DescribedRun, resources: readonly Resource[]): boolean {
  const resource = resources.find(({ name }) => name === known.resource);
  const created = summary.outcomes.created ?? 0;
  return known.remembered && undoneBy === undefined && created > 0 && !!resource?.update && !!resource.trash;
}
