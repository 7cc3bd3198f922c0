/** The names of pino's levels, as in `--log-level`. */
const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
};

/** Fields that a person who watches one command knows. */
const KNOWN: ReadonlySet<string> = new Set(['command']);

/**
 * A line of the log for a person: `09:30:12.042 WARN  The store refused requests. from=40 to=20`. `line`: JSON, with its line
 * end. Text that is no JSON is returned unchanged.
 */
export function readableLine(line: string): string {
  const fields = parsed(line);
  if (fields === undefined) return line;
  const { level, time, msg, ...others } = fields;
  const clock = typeof time === 'string' ? [time.slice(11, 23)] : [];
  const word = LEVELS[Number(level)] ?? String(level);
  const values = Object.entries(others)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) => `${name}=${valueText(value)}`);
  return `${[...clock, word.padEnd(5), String(msg), ...values].join(' ')}\n`;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
