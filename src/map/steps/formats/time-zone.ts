/** Offset from UTC (`+01:00`) at a local time (`2024-03-31T02:30:00`); undefined for a time that clocks skip. */
export type Zone = (local: string) => string | undefined;

const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const DAY = 86_400_000;

/** True for an offset such as `+01:00`, and for the name of a zone. */
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
    const asUtc = Date.parse(`${local}Z`);
    // Clocks change at most once in two days, so one of these offsets is in force. If both are, as in the hour that the
    // end of summer time repeats, the earlier moment counts.
    return [offsetAt(asUtc - DAY), offsetAt(asUtc + DAY)].find(
      (offset) => offsetAt(Date.parse(local + offset)) === offset,
    );
  };
}
