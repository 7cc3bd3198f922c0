/** Offset of a zone from UTC at a local time, such as `+01:00`; undefined for a time that its clocks skip. */
export type Zone = (local: string) => string | undefined;

const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const DAY = 86_400_000;

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
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  /** Offset in force at a moment (milliseconds). Intl writes a day and `GMT+01:00`, or `GMT` for none. */
  const offsetAt = (moment: number) => /[+-]\d\d:\d\d/.exec(format.format(moment))?.[0] ?? '+00:00';
  return (local) => {
    const shown = Date.parse(`${local}Z`);
    // Clocks change by hours, and not twice in two days: one of these offsets is in force; the earlier moment wins.
    return [offsetAt(shown - DAY), offsetAt(shown + DAY)].find(
      (offset) => offsetAt(Date.parse(local + offset)) === offset,
    );
  };
}
