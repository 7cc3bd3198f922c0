import type { JsonObject } from '../../model/index.ts';

/** Options that the page shows elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set(['baseUrl', 'mode', 'out']);

/** Options of a command as they are typed, without those that are off: `--max-errors` and `5 %`. */
export function shownOptions(options: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => {
      const words = [value]
        .flat()
        .filter((word) => word !== null && word !== false && word !== 0 && word !== '');
      if (ELSEWHERE.has(name) || words.length === 0) return [];
      return [
        [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, words.map(textOf).join(', ')],
      ];
    }),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
