import { getFormatDateInfo, isDateFormat } from 'numfmt';

/** The parts of a date that a format shows. */
export interface DateParts {
  readonly day: boolean;
  readonly time: boolean;
  /** Hours count beyond 24, as in `[h]:mm`. */
  readonly isDuration: boolean;
}

/** Returns the parts that a number format shows; undefined if it shows no date and no time. */
export function datePartsOf(pattern: string): DateParts | undefined {
  if (!isDateFormat(pattern)) return undefined;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  const isDuration = /\[(?:h+|m+|s+)\]/i.test(pattern);
  // numfmt takes `mm` for a month in `mm:ss`, where it is minutes.
  const isMonth = month && (year || day || !seconds);
  return { day: year || isMonth || day, time: hours || minutes || seconds || isDuration, isDuration };
}

const DAY_MS = 86_400_000;
/** Day 0 of the two date systems. Excel counts from 1900 with a 29 February that did not exist: day 60. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LEAP_BUG = 60;
/** 9999-12-31 */
const LAST_DAY = 2_958_465;

/**
 * Writes a number that a format shows as date or time in ISO 8601: `2026-01-31`, `2026-01-31T13:45:00`, `13:45:00`; a
 * duration as `36:30:00`. Undefined for a number that is no date.
 */
export function dateText(serial: number, parts: DateParts, is1904: boolean): string | undefined {
  // Seconds are the finest unit that people enter. Milliseconds are kept if there are any.
  const ms = Math.round(serial * DAY_MS);
  if (!Number.isSafeInteger(ms)) return undefined;
  if (parts.isDuration || !parts.day)
    return serial < 0 ? undefined : clockText(parts.isDuration ? ms : ms % DAY_MS);
  const days = Math.floor(ms / DAY_MS);
  if (days < 0 || days > LAST_DAY) return undefined;
  const day = dayText(days, is1904);
  return parts.time ? `${day}T${clockText(ms - days * DAY_MS)}` : day;
}

function dayText(days: number, is1904: boolean): string {
  if (is1904) return isoDay(EPOCH_1904 + days * DAY_MS);
  if (days === LEAP_BUG) return '1900-02-29';
  return isoDay(EPOCH_1900 + (days < LEAP_BUG ? days + 1 : days) * DAY_MS);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = ms % 1000;
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
}

/** Writes an ISO date that the workbook has as text (`t="d"`) as far as its format shows it. */
export function isoDateText(text: string, parts: DateParts | undefined): string {
  const [day = '', time = ''] = text
    .trim()
    .replace(/(?:\.0+)?Z?$/, '')
    .split('T');
  if (time === '' || parts?.time === false || (parts === undefined && /^00:00(?::00)?$/.test(time)))
    return day;
  return `${day}T${time}`;
}
