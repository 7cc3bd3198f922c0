const NUMBERS = new Intl.NumberFormat('en');
const MOMENTS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** 12,345 */
export function counted(count: number): string {
  return NUMBERS.format(Math.round(count));
}

/** `1 row`, `12 rows`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

/** `340 ms`, `12 s`, `3 min 20 s`, `2 h 05 min`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `23 Nov 2026, 11:40`, of an ISO 8601 text. */
export function moment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : MOMENTS.format(date);
}

/** `3.4 MB` */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `98 %`; never 100 % for less than all. */
export function percent(part: number): string {
  const whole = Math.floor(part * 100);
  return `${part > 0 && whole === 0 ? '<1' : whole} %`;
}

/** The host of a store's address, which is how people know it. */
export function storeName(address: string | null): string {
  if (address === null) return 'the sandbox';
  return URL.canParse(address) ? new URL(address).host : address;
}
