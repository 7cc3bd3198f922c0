import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { JournalEntry } from '../../src/sandbox/journal.ts';

/** The history of a store by its own journal and records. The ledger is not used. */
export interface StoreFacts {
  readonly journal: readonly Pick<JournalEntry, 'kind' | 'did' | 'fault' | 'status' | 'whole'>[];
  readonly references: readonly string[];
}

export interface Expected {
  /** References of all records of the file; each is valid. */
  readonly wanted: readonly string[];
  /** Folder of the reports. */
  readonly out: string;
  /** Most records that may be in doubt. */
  readonly mostInDoubt: number;
  /** Outcomes that are allowed in addition to `created` and `in-doubt`. */
  readonly othersMayBe?: readonly string[];
}

/** Violations of the guarantees by the store and the reports; empty if there are none. */
export function violations(
  facts: StoreFacts,
  { wanted, out, mostInDoubt, othersMayBe = [] }: Expected,
): string[] {
  const found: string[] = [];
  const made = facts.journal.flatMap(({ kind, did }) =>
    kind === 'create' && did ? [{ id: did.id, key: did.key ?? '' }] : [],
  );
  const ids = new Map(made.map(({ key, id }) => [key, id]));
  for (const key of repeated(made.map(({ key }) => key))) found.push(`${key} was made more than once`);
  for (const key of repeated(facts.references)) found.push(`${key} is in the store more than once`);
  if (facts.references.length !== made.length)
    found.push(`the store has ${facts.references.length} records and made ${made.length}`);

  const results = table(join(out, 'results.csv'));
  const lines = new Map(results.map((line) => [line.key ?? '', line]));
  if (results.length !== wanted.length || lines.size !== wanted.length)
    found.push(`results.csv has ${results.length} lines for ${wanted.length} records`);
  const right = new Set(['created', 'in-doubt', ...othersMayBe]);
  const listed = new Set(table(join(out, 'in-doubt.csv')).map(({ reference = '' }) => reference));
  for (const key of wanted) {
    const { outcome = 'missing', id } = lines.get(key) ?? {};
    if (outcome === 'created' && (id === undefined || ids.get(key) !== id))
      found.push(`${key} is said to be created as ${id}, and the store made ${ids.get(key)}`);
    if (!right.has(outcome)) found.push(`${key} is ${outcome}`);
    if ((outcome === 'in-doubt') !== listed.has(key))
      found.push(`${key} is ${outcome}, not as in-doubt.csv says`);
  }
  for (const { key } of made) if (!lines.has(key)) found.push(`${key} was made and is not in results.csv`);
  if (listed.size > mostInDoubt) found.push(`${listed.size} in doubt, at most ${mostInDoubt} may be`);

  const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Books;
  const counted = countsOf(results.map(({ outcome = '' }) => outcome));
  if (JSON.stringify(sorted(summary.outcomes)) !== JSON.stringify(sorted(counted)))
    found.push(
      `summary.json counts ${JSON.stringify(summary.outcomes)}, results.csv ${JSON.stringify(counted)}`,
    );
  const sum = Object.values(summary.outcomes).reduce((total, count) => total + count, 0);
  if (summary.records !== wanted.length || sum !== wanted.length)
    found.push(`summary.json has ${summary.records} records and ${sum} outcomes, the file ${wanted.length}`);
  if (summary.stopped !== undefined) found.push('summary.json says that the run stopped');
  return found;
}

interface Books {
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly stopped?: unknown;
}

export function table(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true }) as Record<string, string>[];
}

function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(keys.filter((key) => seen.size === seen.add(key).size))];
}

function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function sorted(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
}
