import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Phrases that are not used in comments and docs: they make a reader go over a sentence twice. */
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

function isBanned(comment: string): boolean {
  return BANNED_BEGINNING.test(comment) || BANNED.some((phrase) => phrase.test(comment));
}

/** Folders whose comments are still in the old style. The list only gets shorter. */
const NOT_YET: readonly string[] = ['resources', 'sandbox'];

const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !NOT_YET.includes(name));

test.each(folders)('comments of src/%s have no banned phrase', (folder) => {
  const files = readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      commentsIn(readFileSync(join(root, 'src', folder, file), 'utf8'))
        .filter(isBanned)
        .map((comment) => `${file}: ${comment}`),
    );
  expect(found).toEqual([]);
});

test('a banned phrase is found', () => {
  expect(commentsIn('/** What it is. */\nf(); // It stands here.').filter(isBanned)).toHaveLength(2);
  expect(commentsIn('/** Calls `told` and "so many". */').filter(isBanned)).toEqual([]);
});
