import { ConfigError, type JsonObject } from '../../model/index.ts';

/** Units of an age, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { m: 60e3, h: 3600e3, d: 24 * 3600e3, w: 7 * 24 * 3600e3 };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Parses `2026-03-01` (in UTC, like the store's dates), `2026-03-01T06:00:00+01:00`, or an age such as `36h`, `7d`.
 * Returns milliseconds since 1970. Throws ConfigError for any other text.
 */
export function sinceMoment(text: string, now: Date): number {
  const [, count, unit = ''] = /^(\d+)\s*([mhdw])$/i.exec(text.trim()) ?? [];
  if (count !== undefined) return now.getTime() - Number(count) * (UNITS[unit.toLowerCase()] as number);
  const moment = DAY.test(text) || MOMENT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(moment) && isInCalendar(text)) return moment;
  throw new ConfigError(`--since ${text} is neither a date nor an age.`, [
    'Write a day (2026-03-01), a moment with its time zone (2026-03-01T06:00:00+01:00), or an age (90m, 36h, 7d, 2w).',
  ]);
}

/** False for 30 February, which `Date` would read as 2 March. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** `early`: created before the moment. `undated`: without a readable date, so it may be recent. */
export type Age = 'early' | 'recent' | 'undated';

export function ageOf(item: JsonObject, field: string, moment: number): Age {
  const value = item[field];
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return 'undated';
  return at < moment ? 'early' : 'recent';
}
