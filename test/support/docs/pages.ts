import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Page {
  /** Path in the repository. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** The pages for users: the guide and the README. */
export function guidePages(): Page[] {
  const names = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  return [...names.map((name) => `docs/${name}`), 'README.md'].map(pageNamed);
}

/** The guide, and the pages for those who work on the code. */
export function allPages(): Page[] {
  const others = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];
  return [...guidePages(), ...[...others, 'src/ledger/STATES.md', 'src/sandbox/LIMITS.md'].map(pageNamed)];
}

function pageNamed(name: string): Page {
  const path = join(root, name);
  return { name, path, text: readFileSync(path, 'utf8') };
}

/** Paths of all source files, tests and scripts; each begins with `/`. */
export function sourceFiles(): string[] {
  return ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `/${folder}/${file.replaceAll('\\', '/')}`,
    ),
  );
}

/** The text of a page without its fenced blocks. */
export function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

/** A fenced block: ` ```yaml example=first ` has the language `yaml` and the note `{ example: 'first' }`. */
export interface Fence {
  readonly language: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly text: string;
}

export function fencesIn(text: string): Fence[] {
  return [...text.matchAll(/^```(\S+)(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', info = '', body = '']) => ({
      language,
      notes: Object.fromEntries(
        info
          .trim()
          .split(/\s+/)
          .filter((note) => note !== '')
          .map((note) => note.split('=') as [string, string?])
          .map(([name, value = '']) => [name, value]),
      ),
      text: body,
    }),
  );
}

export function pageText(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** The text under a heading, up to the next heading of its level or above. */
export function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title);
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  if (level === 0) throw new Error(`there is no heading "${title}"`);
  const length = lines.slice(start + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** The names in code in the first column of the tables of a text. */
export function namesIn(text: string): string[] {
  const cells = text.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** True if the file of a link exists, and its anchor too. */
export function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsIn(readFileSync(path, 'utf8')).has(anchor);
}

/** Anchors of headings, as GitHub makes them. */
function anchorsIn(text: string): Set<string> {
  const headings = withoutFences(text).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
