import type { JobEnd, JobView, RunView } from '../../ui/api/index.ts';
import { counted, plural } from '../text.ts';
import { summaryIn } from './summary-parts.tsx';

/** The result of a job in one sentence; undefined if its failure says all. */
export function endSentence(job: JobView, end: JobEnd, run: RunView | undefined): string | undefined {
  if (end.failure) return undefined;
  if (run && job.kind !== 'ask-store') return run.sentence;
  const summary = summaryIn(end.result);
  const { resolved, items, resource, out } = end.result ?? {};
  if (job.kind === 'ask-store' && typeof resolved === 'number')
    return `${plural(resolved, 'record')} ${resolved === 1 ? 'is' : 'are'} no longer in doubt.`;
  if (job.kind === 'export' && typeof items === 'number')
    return `${counted(items)} ${resource} are in ${out}.`;
  if (job.kind === 'auth-check') return 'The store accepts the credentials.';
  if (summary?.plan) {
    const { create = 0, update = 0, unchanged = 0 } = summary.plan.actions;
    const fitting = create + update + unchanged;
    return `${counted(fitting)} of ${plural(summary.records, 'record')} ${fitting === 1 ? 'fits' : 'fit'}.`;
  }
  return end.exitCode === 0 ? 'Done.' : undefined;
}

const NOTES: readonly (readonly [string, (count: string) => string])[] = [
  ['mismatched', (count) => `${count} left out: the store sent them although they do not match the filters.`],
  ['unchecked', (count) => `${count} written without a value to compare with the filters.`],
  ['undated', (count) => `${count} written without a date that can be read.`],
  ['known', (count) => `${count} left out: an earlier export has them.`],
  ['early', (count) => `${count} left out: older than the date that you gave.`],
];
/** Columns that are named before the rest is counted. */
const MOST_NAMED = 8;

/** Facts of an export that a person may want to act on, each a sentence. */
export function exportNotes(result: Readonly<Record<string, unknown>>): readonly string[] {
  const lines = NOTES.flatMap(([name, words]) => {
    const count = result[name];
    return typeof count === 'number' && count > 0 ? [words(plural(count, 'item'))] : [];
  });
  const fields = Object.keys((result.not_in_columns ?? {}) as Readonly<Record<string, number>>);
  if (fields.length === 0) return lines;
  const more = fields.length > MOST_NAMED ? ` and ${counted(fields.length - MOST_NAMED)} more` : '';
  return [
    ...lines,
    `${plural(fields.length, 'field')} of the store ${fields.length === 1 ? 'is' : 'are'} in no column: ${fields.slice(0, MOST_NAMED).join(', ')}${more}.`,
  ];
}
