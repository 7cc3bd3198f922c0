import { ConfigError, ownValue } from '../../model/index.ts';

/** Values for `{name}` in a file name. */
export type NameParts = Readonly<Record<'date' | 'time' | 'resource' | 'profile', string>>;

/** Formats `now` in local time, since users expect the date of their own clock in file names. */
export function nameParts(now: Date, resource: string, profile: string): NameParts {
  const two = (number: number) => String(number).padStart(2, '0');
  return {
    date: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    time: two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds()),
    resource,
    profile,
  };
}

/** Letters of any language, digits and safe characters between them. A first dot would hide the file. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_. @+-]*$/u;

/**
 * `reviews-{date}.csv` → `reviews-2026-03-01.csv`. A value never leads to another folder. Throws ConfigError if a name is
 * unknown, or if its value cannot be part of a file name.
 */
export function fileName(template: string, parts: NameParts): string {
  return template.replaceAll(/\{(\w*)\}/g, (whole, name: string) => {
    const value = ownValue(parts, name);
    if (value === undefined)
      throw new ConfigError(`--out ${template}: there is nothing to fill in for ${whole}.`, [
        `There are: ${Object.keys(parts)
          .map((known) => `{${known}}`)
          .join(', ')}.`,
      ]);
    if (!PLAIN.test(value))
      throw new ConfigError(`--out ${template}: the ${name} "${value}" cannot be part of a file's name.`, [
        'Use a name of letters, digits, -, _ and single dots.',
      ]);
    return value;
  });
}
