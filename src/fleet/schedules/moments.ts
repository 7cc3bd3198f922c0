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

/** The last moment of a timetable at or before `now`, and after `after`; undefined if there is none. */
export function lastSlot({ cron, zone }: Timetable, now: Date, after: Date): Date | undefined {
  // `prev` excludes the moment itself.
  const end = new Date(now.getTime() + 1);
  const slot = CronExpressionParser.parse(cron, { tz: zone, currentDate: end }).prev().toDate();
  return slot > after && slot <= now ? slot : undefined;
}

/** The first moment of a timetable after `now`. */
export function nextSlot({ cron, zone }: Timetable, now: Date): Date {
  return CronExpressionParser.parse(cron, { tz: zone, currentDate: now }).next().toDate();
}

/** The same part of a second for each slot: stores of a schedule begin one after the other, each always at its own moment. */
export function spreadMs(schedule: string, store: string, spreadS: number): number {
  const digest = createHash('sha256').update(`${schedule}\n${store}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * spreadS * 1000);
}
