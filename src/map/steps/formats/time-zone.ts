/** Offset of a zone from UTC at a local time, such as `+01:00`; undefined for a time that its clocks skip. */
export type Zone = (local: string) => string | undefined;

const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;

export function isZone(name: string): boolean {
  if (OFFSET.test(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function createZone(name: string): Zone {
  if (name === 'UTC') return () => 'Z';
  if (OFFSET.test(name)) return () => name;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: name,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  });
  /** Minutes between the zone's clock and UTC at a moment (milliseconds). */
  const minutesAt = (moment: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
    ) as Record<string, number>;
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const shown = Date.UTC(year, month - 1, day, hour, minute, second);
    return Math.round((shown - Math.floor(moment / 1000) * 1000) / 60_000);
  };
  return (local) => {
    const shown = Date.parse(`${local}Z`);
    // Clocks change by hours, and not twice in two days: one of these offsets is in force; the earlier moment wins.
    const around = [minutesAt(shown - 86_400_000), minutesAt(shown + 86_400_000)];
    const fits = around.filter((minutes) => minutesAt(shown - minutes * 60_000) === minutes);
    return fits.length === 0 ? undefined : written(Math.max(...fits));
  };
}

function written(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(whole / 60))}:${two(whole % 60)}`;
}
