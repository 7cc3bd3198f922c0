/** Parsers of the values of options. The text stays with a run or a task, and is parsed where it is used. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 };

/** Longest delay of a timer in Node. */
const LONGEST_MS = 2_147_483_647;

/** Parses `30s`, `15m`, `500ms`, `2h` to milliseconds; a bare number is seconds. Undefined for other text. */
export function durationIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) return undefined;
  const duration = Number(amount) * factor;
  return duration > 0 && duration <= LONGEST_MS ? duration : undefined;
}

/** Converts text that `DURATION` accepted. */
export function milliseconds(text: string): number {
  const duration = durationIn(text);
  if (duration === undefined) throw new Error(`"${text}" is no duration`);
  return duration;
}

const DAY_MS = 86_400_000;
const AGE_UNITS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/** Parses `36h`, `90d`, `12w` to milliseconds. A bare number has no unit that everybody expects. Undefined for other text. */
export function ageIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(h|d|w)$/i.exec(text.trim()) ?? [];
  const factor = AGE_UNITS[unit.toLowerCase()];
  const age = amount === undefined || factor === undefined ? Number.NaN : Number(amount) * factor;
  return age <= Number.MAX_SAFE_INTEGER ? age : undefined;
}

/** Converts text that `AGE` or `AGE_OR_ZERO` accepted. */
export function ageMilliseconds(text: string): number {
  const age = text === '0' ? 0 : ageIn(text);
  if (age === undefined) throw new Error(`"${text}" is no age`);
  return age;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** Parses `500KB`, `20MB`, `1.5 GB` to bytes. Undefined for other text. */
export function bytesIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(kb|mb|gb)$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(amount) * (SIZE_UNITS[unit.toLowerCase()] ?? Number.NaN));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Parses `20` or `5%`. Undefined for other text. */
export function maxErrorsIn(text: string): { count: number } | { percent: number } | undefined {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (percent === '%' && Number(amount) <= 100) return { percent: Number(amount) };
  return percent === '' && Number.isSafeInteger(Number(amount)) ? { count: Number(amount) } : undefined;
}

/** `["status=DRAFT", …]` → `{ status: "DRAFT" }`. */
export function constants(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
