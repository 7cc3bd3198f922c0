/** The time now as an ISO timestamp. Dozens of requests share a millisecond, and its text costs more than a look at it. */
export function timestamps(now: () => number): () => string {
  let lastMs = Number.NaN;
  let text = '';
  return () => {
    const ms = now();
    if (ms !== lastMs) {
      lastMs = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}
