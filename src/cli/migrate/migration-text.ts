import { relative } from '../../model/files/fs.ts';
import { durationText, grouped } from '../../model/index.ts';
import type { MigrationPhase, MigrationToUndo } from '../../pipeline/index.ts';
import {
  type MigrationStepSummary,
  type MigrationSummary,
  migrationSteps,
  type Summary,
} from '../../report/index.ts';
import { outcomeLines, problemLine } from '../output/summary-text.ts';

const VERBS: Readonly<Record<MigrationPhase, string>> = {
  check: 'Checked',
  import: 'Migrated',
  undo: 'Undid',
};
const STEP_VERBS: Readonly<Record<MigrationPhase, string>> = { ...VERBS, import: 'Imported' };

const MOST_PROBLEMS = 4;

/** Formats the summary of a migration for people: the books, the steps, problems and what is next. */
export function migrationText(migration: MigrationSummary): string {
  const { phase, plan, steps, records, outcomes, duration_ms: ms, stopped, out } = migration;
  const title = plan.title === undefined ? '' : ` (${plan.title})`;
  const requests = steps.reduce((sum, { run }) => sum + (run?.plan?.requests ?? 0), 0);
  const lines = [
    `${VERBS[phase]} ${plan.file}${title}: ${countRecords(records)} in ${durationText(ms)}.`,
    ...outcomeLines(outcomes),
    ...steps.map((step, index) => `  ${index + 1}. ${stepWords(step, phase)}`),
  ];
  if (phase === 'check' && stopped) lines.push('Nothing was sent.');
  else if (phase === 'check')
    lines.push(
      requestsLine(
        requests,
        steps.flatMap(({ run }) => run ?? []),
      ),
    );
  for (const [resource, count] of Object.entries(migration.not_undone ?? {}))
    lines.push(
      `Not undone: ${grouped(count)} ${resource}, which the store's API can neither delete nor update.`,
    );
  const wrong = steps.flatMap(({ run }) => {
    const problems = (run?.problems ?? []).filter(({ code }) => code !== stopped?.reason);
    const more = problems.length - MOST_PROBLEMS;
    return problems.length === 0
      ? []
      : [
          `  ${run?.resource}:`,
          ...problems.slice(0, MOST_PROBLEMS).map(problemLine),
          ...(more > 0 ? [`           and ${more} more ${more === 1 ? 'kind' : 'kinds'}`] : []),
        ];
  });
  if (stopped) lines.push(`Stopped early: ${stopped.message}`);
  if (wrong.length > 0) lines.push('What was wrong:', ...wrong);
  lines.push(`Reports: ${relative('', out) || '.'}`, ...migrationSteps(migration).map(({ text }) => text));
  return lines.join('\n');
}

function requestsLine(requests: number, checks: readonly Summary[]): string {
  const rate = checks.find(({ plan }) => plan?.rate !== undefined)?.plan?.rate;
  const seconds = rate === undefined ? undefined : Math.ceil(requests / rate);
  const time =
    rate === undefined || seconds === undefined
      ? ''
      : `, about ${durationText(seconds * 1000)} at the ${rate} a second that the store took before`;
  return `Nothing was sent. A migration would send ${grouped(requests)} ${requests === 1 ? 'request' : 'requests'}${time}.`;
}

const STATES: Readonly<Record<MigrationStepSummary['state'], string>> = {
  done: '',
  before: 'done before',
  stopped: 'stopped early',
  left: 'not begun',
};

/** `products: stopped early, 12 records: 10 created, 2 unsent (run …)` */
function stepWords({ resource, state, run }: MigrationStepSummary, phase: MigrationPhase): string {
  const books = run && `${stepBooks(run)}${phase === 'check' ? '' : ` (run ${run.run})`}`;
  return `${resource}: ${[STATES[state], books ?? ''].filter((each) => each !== '').join(', ')}`;
}

/** `Checked suppliers: 12 records: 11 planned, 1 invalid.` */
export function stepLine(phase: MigrationPhase, summary: Summary): string {
  return `${STEP_VERBS[phase]} ${summary.resource}: ${stepBooks(summary)}${summary.stopped ? ', stopped early' : ''}.`;
}

/** The outcomes of a step; of a check, what would be done. */
function stepBooks({ records, outcomes, plan }: Summary): string {
  const counts = Object.entries(plan?.actions ?? outcomes).map(
    ([word, count]) => `${grouped(count)} ${word}`,
  );
  return `${countRecords(records)}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`;
}

function countRecords(records: number): string {
  return `${grouped(records)} ${records === 1 ? 'record' : 'records'}`;
}

/** Formats the counts of an undo, for the question before it. */
export function toUndoText({ runs, undone, notUndone }: MigrationToUndo): string {
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([resource, count]) => `${grouped(count)} ${resource}`)
      .join(', ');
  const lines = [
    listed(undone) === ''
      ? `The ${runs === 1 ? 'run' : `${runs} runs`} of this migration created nothing that can be undone.`
      : `To be put into the trash, of ${runs === 1 ? 'one run' : `${runs} runs`}: ${listed(undone)}.`,
  ];
  if (listed(notUndone) !== '')
    lines.push(
      `Not to be undone: ${listed(notUndone)}. The store's API can neither delete nor update them; their identifiers are in results.csv of their runs.`,
    );
  return lines.join('\n');
}
