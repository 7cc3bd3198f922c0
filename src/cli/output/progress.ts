import { grouped, seconds } from '../../model/index.ts';
import type { ImageProgress } from '../../pipeline/index.ts';
import type { Waiting } from '../../store/index.ts';
import type { Terminal } from './terminal.ts';

/** Update intervals: a live line on a terminal, elsewhere a plain line every few seconds. */
const LIVE_MS = 150;
const PLAIN_MS = 5000;

/** Shows the text of `describe` repeatedly until it is stopped. */
export function showProgress(terminal: Terminal, describe: () => string): { stop(): void } {
  const timer = setInterval(() => terminal.status(describe()), terminal.live ? LIVE_MS : PLAIN_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      if (terminal.live) terminal.status('');
    },
  };
}

/** Minimum duration of a wait that is shown. */
const LONG_WAIT_MS = 2_000;

/** `Waiting 12s for 16 answers. `; empty if nothing is waited for, or not for long. */
export function waitingWords(waiting: Waiting | undefined): string {
  if (waiting === undefined || waiting.forMs < LONG_WAIT_MS) return '';
  return `Waiting ${seconds(Math.floor(waiting.forMs / 1000))} for ${waiting.what}. `;
}

/** `Checking images: 1,200 of 9,800.` */
export function imagesProgress({ all, done }: ImageProgress): string {
  if (all === undefined) return 'Checking images: reading the files for their addresses.';
  return `Checking images: ${grouped(done)} of ${grouped(all)}.`;
}

const RATE_WINDOW_MS = 5000;

/** Returns a function that computes records per second over the last 5 seconds. `from` is the initial count. */
export function createDisplayRate(from = 0) {
  const samples: { at: number; count: number }[] = [{ at: performance.now(), count: from }];
  return (count: number): number => {
    const at = performance.now();
    samples.push({ at, count });
    while (samples.length > 2 && at - (samples[0]?.at ?? at) > RATE_WINDOW_MS) samples.shift();
    const [first] = samples;
    return first && at > first.at ? ((count - first.count) * 1000) / (at - first.at) : 0;
  };
}

/** `1,200 of 50,000 reviews, 1,100/s, 44s left`. `rate` is per second. */
export function exportProgress(
  { read, total }: { readonly read: number; readonly total: number | null },
  rate: number,
  name: string,
): string {
  const speed = `${grouped(Math.round(rate))}/s`;
  if (total === null) return `${grouped(read)} ${name}, ${speed}`;
  const left = rate > 0 && total > read ? `, ${seconds((total - read) / rate)} left` : '';
  return `${grouped(read)} of ${grouped(total)} ${name}, ${speed}${left}`;
}
