/** `1h 02m`, `3m 20s`, `12s`. */
export function seconds(total: number): string {
  const whole = Math.max(0, Math.round(total));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (h > 0) return `${h}h ${String(m).padStart(2, '0')}m`;
  return m > 0 ? `${m}m ${String(s).padStart(2, '0')}s` : `${s}s`;
}

/** Formats a duration for people. */
export function durationText(durationMs: number): string {
  return durationMs < 10_000 ? `${(durationMs / 1000).toFixed(1)}s` : seconds(durationMs / 1000);
}

/** Formats a whole number as `1,234,567`. Avoids `toLocaleString`, which loads data for all languages. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 row`, `1,200 rows`. `many`: the plural, where it is not `one` with an `s`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Formats a size for people: `12 kB`, `3.4 MB`, `1.2 GB`. Units are powers of 1000, as disks are sold. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [size, unit] = [bytes / 1000, 0];
  for (; size >= 999.5 && unit < units.length - 1; unit++) size /= 1000;
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}
