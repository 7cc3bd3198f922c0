/** A clock whose time passes only when `run` is called: as far as the next wait ends, again and again. */
export function virtualClock() {
  let now = 0;
  const waits: { readonly atMs: number; readonly end: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number) =>
      new Promise<void>((end) => {
        waits.push({ atMs: now + ms, end });
      }),
    /** Lets time pass until nothing waits any more. */
    async run(): Promise<void> {
      for (;;) {
        // Everything that needs no time happens first.
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        waits.sort((a, b) => a.atMs - b.atMs);
        const next = waits.shift();
        if (!next) return;
        now = Math.max(now, next.atMs);
        next.end();
      }
    },
  };
}
