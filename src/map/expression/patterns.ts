import { libraries } from './libraries.ts';

/** A regular expression of a mapping. Matching takes time linear in the text, whatever the pattern. */
export interface SafePattern {
  test(text: string): boolean;
  /** In `replacement`, `$1` is a group, `$&` the whole match, `$$` a dollar sign. */
  replaceAll(text: string, replacement: string): string;
  /** The texts between the matches. */
  split(text: string): string[];
  readonly groups: number;
}

/** Longer patterns are programs. */
const LONGEST = 1000;

/** Literal characters, optionally anchored. JavaScript's own engine does not backtrack on these. */
const PLAIN = /^\^?[\p{L}\p{N} '"#@!%&,:;<>=~_/-]+\$?$/u;

/**
 * Compiles a pattern of a mapping. JavaScript's own engine backtracks, so a pattern of a few letters can take years;
 * RE2 never backtracks. Throws a plain Error that says what is not supported.
 */
export function compilePattern(source: string, { ignoreCase = false } = {}): SafePattern {
  if (source.length > LONGEST) throw new Error(`it is longer than ${LONGEST} characters`);
  // RE2's translation would read it as a letter.
  if (NAMED_AGAIN.test(source)) throw new Error('it refers to a named group');
  if (PLAIN.test(source)) {
    const pattern = new RegExp(source, ignoreCase ? 'giu' : 'gu');
    return {
      test: (text) => text.search(pattern) >= 0,
      replaceAll: (text, replacement) => text.replace(pattern, replacement),
      split: (text) => text.split(pattern),
      groups: 0,
    };
  }
  const { RE2JS } = libraries.re2js();
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    test: (text) => pattern.test(text),
    // Testing costs a tenth of replacing, and most cells have nothing to replace.
    replaceAll: (text, replacement) =>
      pattern.test(text) ? pattern.matcher(text).replaceAll(replacement) : text,
    split: (text) => (pattern.test(text) ? pattern.split(text) : [text]),
    groups: pattern.groupCount(),
  };
}

const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]|\\k</;
const NAMED_AGAIN = /\\k</;

/** The reason why a text is not a supported regular expression; undefined if it is one. */
export function patternProblem(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    const why = LOOKS_AROUND.test(source)
      ? 'it looks ahead or behind, or asks for what a group found (\\1), which could take very long'
      : (error as Error).message.replace(/^error parsing regexp: /, '');
    return `${JSON.stringify(source)} is not a regular expression that can be used here: ${why}.`;
  }
}
