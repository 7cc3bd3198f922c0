import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allPages, withoutFences } from './support/docs/pages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Phrases that are not used in comments, messages and test titles: readers need such a sentence twice. */
const BANNED: readonly RegExp[] = [
  /\bstands?\b(?! (?:for|in))/i,
  /\btold\b/i,
  /\bso many\b/i,
  /\b(?:goes|gone|went) on\b/i,
  /\b(?:comes?|came) back\b/i,
  /\btaken for\b/i,
  /\bof which\b/i,
  /\blies\b/i,
  /\bwhat is made of\b/i,
];

/** A comment begins with a verb or with the term that it explains. */
const BANNED_BEGINNING = /^(?:What|Whether|Where|Told|Asked|Who)\b/;

/** Comments of a source file, each with its text on one line. Strings that hold `//` have no blank before it. */
function commentsIn(text: string): string[] {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, comment = '']) => comment);
  const lines = [...text.matchAll(/(?:^|\s)\/\/ (.*)$/gm)].map(([, comment = '']) => comment);
  return [...blocks, ...lines].map((comment) =>
    comment
      .replaceAll(/^\s*\* ?/gm, '')
      .replaceAll(/`[^`]*`|"[^"]*"/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

function isBanned(text: string): boolean {
  return BANNED.some((phrase) => phrase.test(text));
}

function isBannedComment(comment: string): boolean {
  return BANNED_BEGINNING.test(comment) || isBanned(comment);
}

/** String and template literals with at least four words: messages, help texts and test titles. */
function sentencesIn(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*$/gm, ' ');
  return [...code.matchAll(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g)]
    .map(([literal]) => literal.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '…'))
    .filter((sentence) => sentence.split(' ').length > 3);
}

/** The paragraphs of a page, each on one line, without code. */
function paragraphsOf(text: string): string[] {
  const prose = withoutFences(text).replaceAll(/`[^`\n]*`/g, '');
  return prose.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
}

/** Source files by folder: `src/map`, `test/map`, `test`, `scripts`. Without migrations, which never change, and this file. */
const files = new Map<string, string[]>();
for (const top of ['src', 'test', 'scripts'])
  for (const file of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|mjs)$/.test(file) || file === 'prose.test.ts' || file.includes('migrations')) continue;
    const [room = ''] = dirname(file).split(sep);
    const folder = room === '.' ? top : `${top}/${room}`;
    files.set(folder, [...(files.get(folder) ?? []), join(top, file)]);
  }

function foundIn(folder: string, textsIn: (text: string) => string[], isWrong: (text: string) => boolean) {
  return (files.get(folder) ?? []).flatMap((file) =>
    textsIn(readFileSync(join(root, file), 'utf8'))
      .filter(isWrong)
      .map((text) => `${file}: ${text}`),
  );
}

const folders = [...files.keys()].sort();

test.each(folders)('comments of %s have no banned phrase', (folder) =>
  expect(foundIn(folder, commentsIn, isBannedComment)).toEqual([]),
);

test.each(folders)('messages and test titles of %s have no banned phrase', (folder) =>
  expect(foundIn(folder, sentencesIn, isBanned)).toEqual([]),
);

test.each(allPages())('$name has no banned phrase', ({ text }) =>
  expect(paragraphsOf(text).filter(isBanned)).toEqual([]),
);

test('a banned phrase on a page is found', () => {
  const text = 'It stands\nhere, `told`.\n\n```sh\nso many\n```\n\nAll of\nwhich some.';
  expect(paragraphsOf(text).filter(isBanned)).toEqual(['It stands here, .', 'All of which some.']);
});

test('a banned phrase in a comment is found', () => {
  expect(commentsIn('/** What it is. */\nf(); // It stands here.').filter(isBannedComment)).toHaveLength(2);
  expect(commentsIn('/** Calls `told` and "so many". */').filter(isBannedComment)).toEqual([]);
});

test('a banned phrase in a message is found', () => {
  const code = "f('the row stands here', `all rows of which some are new`); // it was told so";
  expect(sentencesIn(code).filter(isBanned)).toHaveLength(2);
  expect(sentencesIn("f('told'); /* 'it came back here' */").filter(isBanned)).toEqual([]);
});
