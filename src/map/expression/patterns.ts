import { libraries } from './libraries.ts';

/** A regular expression of a mapping. Whatever it is, matching takes time in proportion to the text. */
export interface SafePattern {
  test(text: string): boolean;
  /** `$1` stands for a group, `$&` for all that was found, `$$` for a dollar sign. */
  replaceAll(text: string, replacement: string): string;
  readonly groups: number;
}

/** Longer ones are programs. */
const LONGEST = 1000;

/** Letters that stand for themselves, between the ends of a text: JavaScript's own engine takes no detours there. */
const PLAIN = /^\^?[\p{L}\p{N} '"#@!%&,:;<>=~_/-]+\$?$/u;

/**
 * Compiles what a mapping gives. JavaScript's own engine goes back and tries again, which a few letters of pattern can
 * make last for years; RE2's never does. Throws an ordinary Error that says what it cannot take.
 */
export function compilePattern(source: string, { ignoreCase = false } = {}): SafePattern {
  if (source.length > LONGEST) throw new Error(`it is longer than ${LONGEST} characters`);
  // The translation below would take it for a letter.
  if (NAMED_AGAIN.test(source)) throw new Error('a named group is asked for');
  if (PLAIN.test(source)) {
    const pattern = new RegExp(source, ignoreCase ? 'giu' : 'gu');
    return {
      test: (text) => text.search(pattern) >= 0,
      replaceAll: (text, replacement) => text.replace(pattern, replacement),
      groups: 0,
    };
  }
  const { RE2JS } = libraries.re2js();
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    test: (text) => pattern.test(text),
    // Looking is a tenth of the price of replacing, and most cells have nothing to replace.
    replaceAll: (text, replacement) =>
      pattern.test(text) ? pattern.matcher(text).replaceAll(replacement) : text,
    groups: pattern.groupCount(),
  };
}

const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]|\\k</;
const NAMED_AGAIN = /\\k</;

/** Why a text is no regular expression that mappings take; undefined where it is one. */
export function patternProblem(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    const why = LOOKS_AROUND.test(source)
      ? 'it looks ahead or behind, or asks for what a group found (\\1), which could take for ever'
      : (error as Error).message.replace(/^error parsing regexp: /, '');
    return `${JSON.stringify(source)} is not a regular expression that can be used here: ${why}.`;
  }
}
