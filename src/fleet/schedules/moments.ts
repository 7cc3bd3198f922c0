import { createHash } from 'node:crypto';
import { CronExpressionParser } from 'cron-parser';
import { ConfigError, shownWord } from '../../model/index.ts';

/** When a schedule fires. */
export interface Timetable {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly zone: string;
}

const FIELDS = 5;

/** Throws ConfigError if a timetable is wrong, or never fires. */
export function refuseWrongTimetable({ cron, zone }: Timetable): void {
  if (cron.trim().split(/\s+/).length !== FIELDS)
    throw new ConfigError(`The cron expression "${shownWord(cron)}" needs five fields.`, [
      'Minute, hour, day of the month, month, day of the week: 0 2 * * * is every day at 2:00.',
    ]);
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new ConfigError(`"${shownWord(zone)}" is no time zone, such as UTC or Europe/Berlin.`);
  }
  try {
    CronExpressionParser.parse(cron, { tz: zone, currentDate: new Date(0) }).next();
  } catch (error) {
    throw new ConfigError(`The cron expression "${shownWord(cron)}" is wrong: ${(error as Error).message}`);
  }
}

const HOUR_MS = 3_600_000;

/** The last moment of a timetable at or before `now`, and after `after`; undefined if there is none. */
export function lastSlot(timetable: Timetable, now: Date, after: Date): Date | undefined {
  // `prev` of the library skips the hour that clocks leave out, and has the hour that they repeat twice; `next` does not.
  for (let hours = 4; ; hours *= 4) {
    const start = new Date(Math.max(now.getTime() - hours * HOUR_MS, after.getTime()));
    let last: Date | undefined;
    for (const slot of slotsFrom(timetable, start)) {
      if (slot > now) break;
      if (slot > after) last = slot;
    }
    if (last !== undefined || start <= after) return last;
  }
}

/** The first moment of a timetable after `now`. */
export function nextSlot(timetable: Timetable, now: Date): Date {
  for (const slot of slotsFrom(timetable, now)) if (slot > now) return slot;
  throw new Error('A timetable has no end.');
}

/** Slots in order, from a moment shortly before `start`. */
function* slotsFrom({ cron, zone }: Timetable, start: Date): Generator<Date, void> {
  const slots = CronExpressionParser.parse(cron, { tz: zone, currentDate: beforeClockChange(start, zone) });
  for (;;) yield slots.next().toDate();
}

/** An hour that clocks repeat has a slot twice if one begins in the middle of it, so this begins before. */
function beforeClockChange(start: Date, zone: string): Date {
  const earlier = new Date(start.getTime() - 3 * HOUR_MS);
  return offsetIn(zone, start) === offsetIn(zone, earlier) ? start : earlier;
}

function offsetIn(zone: string, moment: Date): string | undefined {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    moment,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value;
}

/** The same part of a second for each slot: stores of a schedule begin one after the other, each always at its own moment. */
export function spreadMs(schedule: string, store: string, spreadS: number): number {
  const digest = createHash('sha256').update(`${schedule}\n${store}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * spreadS * 1000);
}
