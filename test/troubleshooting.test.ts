import { describe, expect, test } from 'vitest';
import { defuse } from '../src/model/index.ts';
import { CODES } from '../src/store/response/rules.ts';
import { messagePatterns, sources, usedCodes } from './support/docs/codes.ts';
import { fencesIn, namesIn, pageText, sectionOf } from './support/docs/pages.ts';

const page = pageText('docs/troubleshooting.md');
const entries = [...page.matchAll(/^### `([a-z-]+)`\n([\s\S]*?)(?=^##)/gm)].map(
  ([, code = '', text = '']) => ({
    code,
    text,
  }),
);

const files = sources().map((source) => ({ ...source, patterns: messagePatterns(source.text) }));
/** Messages about the answers of a store do not name their code. */
const deliveryCodes = new Set(Object.values(CODES));

/**
 * True if a literal of the code can become the message, or a part of it. Characters that they must have in common: few in
 * a file that names the code, more in any other.
 */
function isMessageOf(code: string, message: string): boolean {
  const word = new RegExp(`(?<![\\w-])${code}(?![\\w-])`);
  return files.some(({ file, text, patterns }) => {
    const least = word.test(text) || isAboutDelivery(code, file) ? 10 : 40;
    return patterns.some(({ pattern, fixed }) => fixed >= least && pattern.test(message));
  });
}

function isAboutDelivery(code: string, file: string): boolean {
  return deliveryCodes.has(code) && /^store\/response\/(?:messages|trouble)\.ts$/.test(file);
}

describe('docs/troubleshooting.md', () => {
  test('has an entry for every code that the code uses, and for no other', () => {
    expect(entries.map(({ code }) => code).sort()).toEqual([...usedCodes()].sort());
  });

  test.each(entries)('says of $code what to do, with a message of the code', ({ code, text }) => {
    expect(text).toMatch(/^\*\*To do:\*\* \S/m);
    const messages = fencesIn(text).filter(({ notes }) => 'message' in notes);
    expect(messages).toHaveLength(1);
    const [message = ''] = messages.map((fence) => fence.text.trimEnd());
    expect(isMessageOf(code, message), message).toBe(true);
  });

  test.each(entries)('the message of $code needs no guard against spreadsheets in a report', ({ text }) => {
    const [message = ''] = fencesIn(text).flatMap(({ notes, text: fence }) =>
      'message' in notes ? [fence.trimEnd()] : [],
    );
    for (const delimiter of [',', ';', '\t']) expect(defuse(message, delimiter)).toBe(message);
  });

  test('lists refusals without a code as the code words them', () => {
    const shown = namesIn(sectionOf(page, 'Errors without a code'));
    const literals = files.flatMap(({ patterns }) => patterns.map(({ text }) => bare(text)));
    expect(shown.length).toBeGreaterThan(20);
    const isWorded = (message: string) => {
      const part = bare(message).replace(/ …$/, ' ');
      return literals.some((literal) => literal.includes(part));
    };
    expect(shown.filter((message) => !isWorded(message))).toEqual([]);
  });

  test('names headings of the summary as the code words them', () => {
    const [table = ''] = /^\| you see[\s\S]*?\n\n/m.exec(page) ?? [];
    const headings = [...table.matchAll(/lines under `([^`]+)`/g)].map(([, heading = '']) => heading);
    const patterns = files.flatMap((file) => file.patterns);
    expect(headings).toHaveLength(3);
    expect(headings.filter((heading) => !patterns.some(({ text }) => text.startsWith(heading)))).toEqual([]);
  });

  test('is compared with literals, also with templates and joined ones', () => {
    const source = [
      "const quote = /'/;",
      'const message = `no $'.concat("{f('cup')} in $", '{g({})} ` +'),
      "  'any more'; // 'not this'",
    ].join('\n');
    const patterns = messagePatterns(source);
    expect(patterns.map(({ text }) => text)).toEqual(['no … in … any more', 'cup']);
    expect(patterns[0]?.pattern.test('There is no cup in it any more.')).toBe(true);
    expect(isMessageOf('ragged-row', 'This row is fine, thank you')).toBe(false);
  });
});

/** A message without quotes, with one `…` for what is filled in. */
function bare(words: string): string {
  return words.replaceAll('"', '').replaceAll(/…+/g, '…');
}
