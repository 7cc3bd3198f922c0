import { date } from '../../steps/date.ts';
import { NO_LOOKUPS } from '../../steps/index.ts';

/**
 * Creates a test that is true if a date is after `now` (milliseconds). Times without an offset are read as UTC. If the
 * order of day and month is ambiguous, one reading after `now` is enough. Text that is no date counts as future, empty
 * text does not.
 */
export function createFutureTest(now: number): (text: string) => boolean {
  const readYearFirst = date.make(true);
  return (text) => {
    if (text === '') return false;
    const time = readYearFirst(text, () => undefined, NO_LOOKUPS);
    if (typeof time === 'string') return Date.parse(time) > now;
    if (UNIX_SECONDS.test(text)) return Number(text) * 1000 > now;
    const days = daysIn(text);
    if (days.length > 0) return days.some((day) => day > now);
    const other = parseUtc(text);
    return Number.isNaN(other) || other > now;
  };
}

/** Parses other texts, such as `Jan 5 2026 12:30`. Without an offset, Date.parse would use the time zone of the machine. */
function parseUtc(text: string): number {
  const utc = HAS_OFFSET.test(text) ? Number.NaN : Date.parse(`${text} UTC`);
  return Number.isNaN(utc) ? Date.parse(text) : utc;
}

const HAS_OFFSET = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

const UNIX_SECONDS = /^\d{9,11}$/;

/** Three numbers, as in `1/5/26, 12:00 AM`, `05.01.2026` or `26. 1. 5.` */
const NUMBERS = /^(\d{1,4})([./-] ?)(\d{1,2})[./-] ?(\d{1,4})(?!\d)/;

/** The days that three numbers may mean, in milliseconds. */
function daysIn(text: string): number[] {
  const [, a = '', between = '', b = '', c = ''] = NUMBERS.exec(text) ?? [];
  const readings =
    a.length === 4 ? [[a, b, c]] : [[c, b, a], [c, a, b], ...(between.length > 1 ? [[a, b, c]] : [])];
  return readings.flatMap(([year = '', month = '', day = '']) => dayOf(year, month, day) ?? []);
}

function dayOf(year: string, month: string, day: string): number | undefined {
  if (![2, 4].includes(year.length) || day.length > 2) return undefined;
  const time = Date.UTC(
    year.length === 2 ? 2000 + Number(year) : Number(year),
    Number(month) - 1,
    Number(day),
  );
  const found = new Date(time);
  return found.getUTCMonth() === Number(month) - 1 && found.getUTCDate() === Number(day) ? time : undefined;
}
