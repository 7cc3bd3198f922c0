import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../command.ts';
import { table } from '../oracle.ts';

/** Effects of one command with a damaged home. */
export interface Step {
  /** Such as `resume`. */
  readonly name: string;
  readonly ended: Ended;
  /** Keys of the creates that the store carried out meanwhile. */
  readonly created: readonly string[];
  /** Files of the home whose content changed. */
  readonly changed: readonly string[];
  /** Folder of its reports; absent if it has none of its own. */
  readonly out?: string;
}

/**
 * The worst first.
 * `DOUBLED`: a create that the store had accepted was carried out again.
 * `LOST`: a report says that a record is in the store, and it is not.
 * `BUG`: a stack trace, an unknown exit code, a crash or a hang.
 * `OVERWROTE`: a command refused and changed files.
 * `UNCLEAR`: a message does not say what to do, or says that there are no runs.
 * `refused`: some command refused, and nothing was wrong.
 * `harmless`: no command refused, and nothing was wrong.
 */
export const VERDICTS = ['DOUBLED', 'LOST', 'BUG', 'OVERWROTE', 'UNCLEAR', 'refused', 'harmless'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Judged {
  readonly verdict: Verdict;
  /** Number of creates beyond the first one of each key. */
  readonly doubled: number;
  readonly found: readonly string[];
}

/** `accepted`: keys that the store had created before the damage. */
export function judge(accepted: readonly string[], steps: readonly Step[]): Judged {
  const found: [Verdict, string][] = [];
  const made = new Set(accepted);
  let doubled = accepted.length - made.size;
  if (doubled > 0) found.push(['DOUBLED', `${doubled} creates were carried out again before the damage`]);
  for (const step of steps) {
    const again = step.created.filter((key) => made.size === made.add(key).size).length;
    doubled += again;
    if (again > 0) found.push(['DOUBLED', `${step.name}: ${again} creates were carried out again`]);
    found.push(...problemsOf(step, made, accepted.length > 0));
  }
  if (steps.some(({ ended }) => refused(ended))) found.push(['refused', '']);
  const verdict = VERDICTS.find((each) => found.some(([how]) => how === each)) ?? 'harmless';
  return { verdict, doubled, found: found.flatMap(([, text]) => (text === '' ? [] : [text])) };
}

function refused({ code, said }: Ended): boolean {
  return (code === 2 || code === 3) && !ORDINARY.test(said);
}

/** Refused in an undamaged home too: retrying a run that has not read all of its files. */
const ORDINARY = /stopped before the end of its files/;

function problemsOf(step: Step, made: ReadonlySet<string>, anything: boolean): [Verdict, string][] {
  const { name, ended, created, changed } = step;
  const { code, said } = ended;
  const found: [Verdict, string][] = [];
  if (code === null) found.push(['BUG', `${name} hung or crashed`]);
  else if (code > 3) found.push(['BUG', `${name} ended with ${code}`]);
  const bug = /bug in storeport.*|^\s+at .*:\d+/m.exec(said);
  if (bug) found.push(['BUG', `${name}: ${bug[0].trim()}`]);
  if (refused(ended) && created.length === 0 && changed.length > 0)
    found.push(['OVERWROTE', `${name} refused and changed ${changed.join(', ')}`]);
  if (anything && /There are no runs/.test(said))
    found.push(['UNCLEAR', `${name} says that there are no runs`]);
  else if (refused(ended) && !saysWhatToDo(said))
    found.push(['UNCLEAR', `${name} does not say what to do: ${firstError(said)}`]);
  if (code === 0 || code === 1)
    for (const [key, outcome] of claims(step.out))
      if (!made.has(key)) found.push(['LOST', `${name}: ${key} is ${outcome}, and not in the store`]);
  return found;
}

/** A message about damage must give both remedies: restore a backup, or find out from the store what it has. */
function saysWhatToDo(said: string): boolean {
  return /\brestore/i.test(said) && /\badopt\b|look in the store/i.test(said);
}

export function firstError(said: string): string {
  const lines = said.split('\n');
  return (
    lines.find((line) => /^Error|bug in|could not be|malformed/.test(line)) ??
    lines.find(Boolean) ??
    ''
  ).slice(0, 200);
}

/** Records that are in the store, according to reports. */
function claims(out: string | undefined): [key: string, outcome: string][] {
  if (out === undefined || !existsSync(join(out, 'results.csv'))) return [];
  return table(join(out, 'results.csv')).flatMap(({ key = '', outcome = '' }) =>
    ['created', 'updated', 'unchanged'].includes(outcome) ? [[key, outcome]] : [],
  );
}
