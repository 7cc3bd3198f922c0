import type { Moment } from './plan.ts';

/** References in a log entry, in a request, or in either of them as quoted by strace. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(/"(ref-\d+)\\?"/g)].map(([, reference = '']) => reference);
}

/**
 * References that were sent before a sync that began after their write to the log had ended. Several syncs may be under way,
 * each of another descriptor.
 */
export function sentTooEarly(moments: readonly Moment[]): string[] {
  const durable = new Set<string>();
  /** References that each sync makes durable, by its descriptor. */
  const syncing = new Map<number | undefined, readonly string[]>();
  let written: string[] = [];
  const early: string[] = [];
  for (const { what, text = '', descriptor } of moments) {
    if (what === 'written') written.push(...referencesIn(text));
    if (what === 'syncs') syncing.set(descriptor, [...written]);
    if (what === 'sync failed') syncing.delete(descriptor);
    if (what === 'synced') {
      for (const reference of syncing.get(descriptor) ?? []) durable.add(reference);
      syncing.delete(descriptor);
      written = written.filter((reference) => !durable.has(reference));
    }
    if (what === 'sends') early.push(...referencesIn(text).filter((reference) => !durable.has(reference)));
  }
  return early;
}

/** References whose intents were written to the log whole, synced or not. */
export function writtenIn(moments: readonly Moment[]): ReadonlySet<string> {
  return new Set(moments.flatMap(({ what, text = '' }) => (what === 'written' ? referencesIn(text) : [])));
}

/** All references that were sent, in order. */
export function sentIn(moments: readonly Moment[]): string[] {
  return moments.flatMap(({ what, text = '' }) => (what === 'sends' ? referencesIn(text) : []));
}
