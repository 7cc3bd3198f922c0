import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  append,
  type Corruption,
  cutAnywhere,
  cutSomeBytes,
  cutToPage,
  empty,
  flipBit,
  overwritePage,
  overwriteRange,
} from './bytes.ts';
import { type BuiltHome, filesIn } from './home.ts';
import type { Random } from './plan.ts';

/** Role of a file in a home. `other`: any file that this program does not know. */
export type Part = 'db' | 'wal' | 'shm' | 'log' | 'lock' | 'exports' | 'other';

export function partOf(name: string): Part {
  if (name === 'ledger.db') return 'db';
  if (name === 'ledger.db-wal') return 'wal';
  if (name === 'ledger.db-shm') return 'shm';
  if (name.endsWith('.log')) return 'log';
  if (name.startsWith('exports')) return 'exports';
  return /^(?:store|export)-/.test(name) ? 'lock' : 'other';
}

/** The home to damage, and another one at the same store if the kind of damage needs one. */
export interface Target extends BuiltHome {
  readonly otherHome: BuiltHome | undefined;
}

/** Describes what was damaged, and how; undefined if the damage is impossible in this home. */
export type Done = { readonly part: string; readonly how: string } | undefined;

export interface Kind {
  readonly name: string;
  readonly weight: number;
  /** It mixes in files of another home at the same store. */
  readonly needsOtherHome?: boolean;
  /** Why this damage cannot be detected; absent if it must be. */
  readonly undetectable?: string;
  readonly apply: (target: Target, random: Random) => Done;
}

const DATABASE: readonly Part[] = ['db', 'wal', 'shm'];
const LEDGER: readonly Part[] = [...DATABASE, 'log'];

/** How often each role is damaged, if a home has such a file. */
const PARTS: readonly { readonly part: Part; readonly weight: number }[] = [
  { part: 'db', weight: 6 },
  { part: 'wal', weight: 6 },
  { part: 'log', weight: 6 },
  { part: 'shm', weight: 1 },
  { part: 'lock', weight: 1 },
  { part: 'exports', weight: 1 },
  { part: 'other', weight: 4 },
];

/** Chooses a role that the folder has files of. Returns their names. */
function someOf(folder: string, random: Random): readonly string[] {
  const names = filesIn(folder);
  const there = PARTS.filter(({ part }) => names.some((name) => partOf(name) === part));
  if (there.length === 0) return [];
  const { part } = random.weighted(there);
  return names.filter((name) => partOf(name) === part);
}

function corruptOne(corrupt: Corruption): Kind['apply'] {
  return ({ folder }, random) => {
    const names = someOf(folder, random);
    if (names.length === 0) return undefined;
    const name = random.one(names);
    const how = corrupt(join(folder, name), random);
    return how === undefined ? undefined : { part: partOf(name), how: `${name}: ${how}` };
  };
}

/** Corrupts the first file of one role. */
export function corruptPart(part: Part, corrupt: Corruption): Kind['apply'] {
  return ({ folder }, random) => {
    const name = filesIn(folder).find((each) => partOf(each) === part);
    const how = name === undefined ? undefined : corrupt(join(folder, name), random);
    return how === undefined ? undefined : { part, how: `${name}: ${how}` };
  };
}

const deleteOne: Corruption = (file) => {
  rmSync(file);
  return 'deleted';
};

export function deleteParts(parts: readonly Part[]): Kind['apply'] {
  return ({ folder }) => {
    const gone = filesIn(folder).filter((name) => parts.includes(partOf(name)));
    for (const name of gone) rmSync(join(folder, name));
    return gone.length === 0 ? undefined : { part: parts.join('+'), how: `deleted: ${gone.join(', ')}` };
  };
}

/** Replaces a file. Returns whether that changed anything. */
function put(from: string, to: string): boolean {
  const changes = !existsSync(to) || !readFileSync(from).equals(readFileSync(to));
  if (changes) cpSync(from, to);
  return changes;
}

/** Restores files of some roles from one older copy. Deletes those that did not exist yet. */
export function restore({ folder, copies }: Target, parts: readonly Part[] | 'all', random: Random): Done {
  if (copies.length === 0) return undefined;
  const copy = random.one(copies);
  const counts = (name: string) => parts === 'all' || parts.includes(partOf(name));
  const older = filesIn(copy).filter(counts);
  const gone = filesIn(folder).filter((name) => counts(name) && !older.includes(name));
  for (const name of gone) rmSync(join(folder, name));
  const back = older.filter((name) => put(join(copy, name), join(folder, name)));
  if (back.length + gone.length === 0) return undefined;
  const how = `back from copy ${copies.indexOf(copy) + 1} of ${copies.length}: ${back.join(', ') || 'nothing'}`;
  return {
    part: parts === 'all' ? 'all' : parts.join('+'),
    how: `${how}; gone: ${gone.join(', ') || 'nothing'}`,
  };
}

const restoreOne: Kind['apply'] = ({ folder, copies }, random) => {
  if (copies.length === 0) return undefined;
  const copy = random.one(copies);
  const names = someOf(copy, random).filter((name) => partOf(name) !== 'lock');
  if (names.length === 0) return undefined;
  const name = random.one(names);
  const how = `${name} from copy ${copies.indexOf(copy) + 1} of ${copies.length}`;
  return put(join(copy, name), join(folder, name)) ? { part: partOf(name), how } : undefined;
};

/** Replaces files of some roles by those of another home. Deletes those that the other home does not have. */
export function swapIn({ folder, otherHome }: Target, parts: readonly Part[]): Done {
  if (otherHome === undefined) return undefined;
  const counts = (name: string) => parts.includes(partOf(name));
  const theirs = filesIn(otherHome.folder).filter(counts);
  if (theirs.length === 0) return undefined;
  for (const name of filesIn(folder).filter(counts)) rmSync(join(folder, name));
  for (const name of theirs) put(join(otherHome.folder, name), join(folder, name));
  return { part: parts.join('+'), how: `of another home: ${theirs.join(', ')}` };
}

function logsOf({ copies, otherHome }: Target): string[] {
  const folders = [...copies, ...(otherHome ? [otherHome.folder, ...otherHome.copies] : [])];
  return folders.flatMap((folder) =>
    filesIn(folder).flatMap((name) => (partOf(name) === 'log' ? [join(folder, name)] : [])),
  );
}

/** Replaces a log by that of another run. */
export const swapLog: Kind['apply'] = (target, random) => {
  const mine = filesIn(target.folder).filter((name) => partOf(name) === 'log');
  const others = logsOf(target).filter((file) => !mine.some((name) => file.endsWith(name)));
  if (mine.length === 0 || others.length === 0) return undefined;
  const [name, other] = [random.one(mine), random.one(others)];
  return put(other, join(target.folder, name)) ? { part: 'log', how: `${other} as ${name}` } : undefined;
};

/** Adds the log of a run that has ended, or that the database does not know. */
const addLog: Kind['apply'] = (target, random) => {
  const names = filesIn(target.folder);
  const others = logsOf(target).filter((file) => !names.some((name) => file.endsWith(name)));
  if (others.length === 0) return undefined;
  const other = random.one(others);
  put(other, join(target.folder, other.split('/').at(-1) as string));
  return { part: 'log', how: `${other} added` };
};

export const KINDS: readonly Kind[] = [
  { name: 'deleted', weight: 12, apply: corruptOne(deleteOne) },
  { name: 'emptied', weight: 10, apply: corruptOne(empty) },
  { name: 'cut by some bytes', weight: 12, apply: corruptOne(cutSomeBytes) },
  { name: 'cut anywhere', weight: 10, apply: corruptOne(cutAnywhere) },
  { name: 'cut to a page', weight: 8, apply: corruptOne(cutToPage) },
  { name: 'a page overwritten', weight: 14, apply: corruptOne(overwritePage) },
  { name: 'a range overwritten', weight: 12, apply: corruptOne(overwriteRange) },
  { name: 'a bit flipped', weight: 10, apply: corruptOne(flipBit) },
  { name: 'rubbish appended', weight: 5, apply: corruptOne(append) },
  { name: 'an older copy', weight: 16, apply: restoreOne },
  { name: 'older copies', weight: 6, apply: (target, random) => restore(target, ['db', 'wal'], random) },
  { name: 'older copies', weight: 6, apply: (target, random) => restore(target, DATABASE, random) },
  { name: 'older copies', weight: 5, apply: (target, random) => restore(target, LEDGER, random) },
  { name: 'deleted', weight: 6, apply: deleteParts(DATABASE) },
  { name: 'deleted', weight: 3, apply: deleteParts(LEDGER) },
  { name: 'deleted', weight: 3, apply: deleteParts(['wal', 'shm', 'log']) },
  { name: 'deleted', weight: 3, apply: deleteParts(['wal', 'shm']) },
  { name: "another home's", weight: 3, needsOtherHome: true, apply: (target) => swapIn(target, ['db']) },
  { name: "another home's", weight: 4, needsOtherHome: true, apply: (target) => swapIn(target, ['wal']) },
  {
    name: "another home's",
    weight: 3,
    needsOtherHome: true,
    apply: (target) => swapIn(target, ['db', 'wal']),
  },
  { name: "another home's", weight: 3, needsOtherHome: true, apply: (target) => swapIn(target, DATABASE) },
  { name: "another run's", weight: 6, needsOtherHome: true, apply: swapLog },
  { name: "another run's added", weight: 3, needsOtherHome: true, apply: addLog },
  {
    name: 'older copies',
    weight: 3,
    undetectable: 'every file is as it was at one earlier moment, like a restored backup',
    apply: (target, random) => restore(target, 'all', random),
  },
  {
    name: 'deleted',
    weight: 2,
    undetectable: 'a folder that does not exist is a new home',
    apply: ({ folder }) => {
      rmSync(folder, { recursive: true });
      return { part: 'all', how: 'the folder is gone' };
    },
  },
];
