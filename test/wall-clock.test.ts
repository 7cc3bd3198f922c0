import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * Files that may read the wall clock, which may be set back or forward at any moment: for dates that people
 * read, and for dates of others. Waits and durations use performance.now().
 */
const MAY_READ_IT: Readonly<Record<string, string>> = {
  'model/stopwatch.ts': 'dates of a run; durations are measured beside',
  'pipeline/import/import.ts': 'date and id of a run',
  'pipeline/import/adopt.ts': 'date and id of a run',
  'pipeline/import/undo.ts': 'date and id of a run',
  'pipeline/prune/prune-runs.ts': 'age of a run in days; a wrong clock drops nothing that imports need',
  'pipeline/clean/clean.ts': 'id of a run',
  'ledger/ledger.ts': 'dates in the ledger; only a prune computes ages from them',
  'ledger/files/lock.ts': 'since when a lock is held, for people',
  'postgres/run/intent-age.ts': 'age of an intent, beside the monotonic clock: only the older one counts',
  'cli/store.ts': 'until when is waited, for people',
  'store/rate/learned-rate.ts': 'age of a learned rate over processes; one from the future has none',
  'images/open-check.ts': 'age of an image that was fine, over processes; one from the future is asked again',
  'cli/commands/export.ts': 'date in the name of a file',
  'map/syntax/conditions/conditions.ts': 'whether a date in the source is in the future',
  'store/client.ts': 'dates in answers without a Date header, and until when a token holds, for people',
  'model/processes.ts': 'date of a file against that of this process, by both clocks',
  'ui/exports/exports.ts': 'date of an export, for people',
  'ui/jobs/job.ts': 'date of a job, for people; its duration is measured beside',
  'ui/runs/run-view.ts': 'how long a run has lasted, which another process may have begun, for people',
  'ui/work/work-state.ts': 'when a file was last worked on, for people',
  'cli/commands/fleet/list.ts': 'ages of tasks and workers by dates of the database, for people',
  'cli/commands/fleet/worker.ts': 'dates of lines, for people',
  'fleet/tasks/add-tasks.ts': 'id of a task',
  'fleet/execute/export-task.ts': 'date in the name of a file',
  'fleet/tasks/refuse-work.ts': 'whether an age can be read; the date is not used',
  'sandbox/index.ts': 'dates of a store: of its records, its tokens and in Retry-After',
};

/** Comments may mention it. */
function code(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

const READS_IT = /\bDate\.now\b|\bDate\(\s*\)|\bnew Date\b(?!\s*[(<])|\bTemporal\.Now\b/;

test('the wall clock is read only for dates', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'));
  const readers = files.filter((file) => READS_IT.test(code(readFileSync(join(src, file), 'utf8'))));
  expect(readers.sort()).toEqual(Object.keys(MAY_READ_IT).sort());
});

test('calls that read the wall clock are found', () => {
  for (const text of ['Date.now()', 'now = Date.now', 'new Date()', 'new Date( )', 'Date()', 'new Date;'])
    expect(READS_IT.test(text)).toBe(true);
  for (const text of ['new Date(ms)', 'Date.UTC(2026, 0)', 'performance.now()', 'Date.parse(text)'])
    expect(READS_IT.test(text)).toBe(false);
  expect(code('a(); // Date.now\n/* new Date() */ b("http://x")')).toBe('a(); \n b("http://x")');
});
