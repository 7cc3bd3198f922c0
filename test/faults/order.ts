import type { Moment } from './plan.ts';

/** References in a log entry, in a request, or in either of them as quoted by strace. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(/"(ref-\d+)\\?"/g)].map(([, reference = '']) => reference);
}

/** References that were sent before a sync that began after their write to the log had ended. */
export function sentTooEarly(moments: readonly Moment[]): string[] {
  const durable = new Set<string>();
  const syncing: string[][] = [];
  let written: string[] = [];
  const early: string[] = [];
  for (const { what, text = '' } of moments) {
    if (what === 'written') written.push(...referencesIn(text));
    if (what === 'syncs') {
      syncing.push(written);
      written = [];
    }
    if (what === 'sync failed') syncing.shift();
    if (what === 'synced') for (const reference of syncing.shift() ?? []) durable.add(reference);
    if (what === 'sends') early.push(...referencesIn(text).filter((reference) => !durable.has(reference)));
  }
  return early;
}

/** All references that were sent, in order. */
export function sentIn(moments: readonly Moment[]): string[] {
  return moments.flatMap(({ what, text = '' }) => (what === 'sends' ? referencesIn(text) : []));
}
