import { dirname, join } from 'node:path';
import { existsSync, readFileSync, resolve, statSync } from '../../model/files/fs.ts';

/**
 * True if git may keep a file of this folder: the folder is in a work tree or has a `.gitignore`, and no pattern of one
 * ignores the file. Only patterns for names are understood, so a file below an ignored folder counts as kept. git itself
 * is not asked, since its settings in a folder of others can start programs.
 */
export function isKeptByGit(folder: string, name: string): boolean {
  const { tree, isWorkTree } = workTreeAbove(resolve(folder));
  const patterns = [
    ...linesOf(join(tree, '.git', 'info', 'exclude')).map((pattern) => ({
      pattern,
      isOwnFolder: tree === resolve(folder),
    })),
    ...foldersBetween(tree, resolve(folder)).flatMap((each) =>
      linesOf(join(each, '.gitignore')).map((pattern) => ({
        pattern,
        isOwnFolder: each === resolve(folder),
      })),
    ),
  ];
  if (!isWorkTree && !existsSync(join(folder, '.gitignore'))) return false;
  // As in git, the last pattern that matches decides.
  const last = patterns.findLast(({ pattern, isOwnFolder }) => matches(pattern, name, isOwnFolder));
  return last === undefined || last.pattern.startsWith('!');
}

/** The nearest folder with `.git`, or the folder itself. */
function workTreeAbove(folder: string): { tree: string; isWorkTree: boolean } {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return { tree: each, isWorkTree: true };
    if (dirname(each) === each) return { tree: folder, isWorkTree: false };
  }
}

function foldersBetween(top: string, folder: string): string[] {
  return folder === top ? [top] : [...foldersBetween(top, dirname(folder)), folder];
}

function linesOf(file: string): string[] {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function matches(line: string, name: string, isOwnFolder: boolean): boolean {
  const pattern = line.replace(/^!/, '').replace(/^\*\*\//, '');
  const bare = pattern.replace(/^\//, '');
  if (bare.includes('/') || (pattern !== bare && !isOwnFolder)) return false;
  const parts = bare
    .split(/(\*+|\?)/)
    .map((part) =>
      part.startsWith('*') ? '.*' : part === '?' ? '.' : part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('')}$`).test(name);
}
