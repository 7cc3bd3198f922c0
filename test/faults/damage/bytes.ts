import { readFileSync, writeFileSync } from 'node:fs';
import type { Random } from './plan.ts';

/** Corrupts the bytes of one file. Returns a description; undefined if the file is too short or would not change. */
export type Corruption = (file: string, random: Random) => string | undefined;

const PAGE = 4096;

/** Picks an offset in a file. A log uses only its front, so offsets near the front are more likely. */
function placeIn(size: number, random: Random): number {
  return Math.min(size - 1, Math.floor(size * (random.next() < 0.5 ? random.next() : random.next() ** 4)));
}

/** Cuts a given number of bytes off the end. */
export function cutBy(fewer: number): Corruption {
  return (file) => {
    const bytes = readFileSync(file);
    return bytes.length < fewer ? undefined : cutTo(file, bytes, bytes.length - fewer);
  };
}

function cutTo(file: string, bytes: Buffer, length: number): string {
  writeFileSync(file, bytes.subarray(0, length));
  return `from ${bytes.length} to ${length} bytes`;
}

export const empty: Corruption = (file) => {
  const bytes = readFileSync(file);
  return bytes.length === 0 ? undefined : cutTo(file, bytes, 0);
};

export const cutSomeBytes: Corruption = (file, random) => {
  const fewer = random.one([1, random.whole(2, 64), 1500, random.whole(100, 5000)]);
  return cutBy(fewer)(file, random);
};

export const cutAnywhere: Corruption = (file, random) => {
  const bytes = readFileSync(file);
  return bytes.length === 0 ? undefined : cutTo(file, bytes, placeIn(bytes.length, random));
};

export const cutToPage: Corruption = (file, random) => {
  const bytes = readFileSync(file);
  const pages = Math.ceil(bytes.length / PAGE);
  return pages < 2 ? undefined : cutTo(file, bytes, PAGE * Math.floor(placeIn(pages, random)));
};

/** Bytes to overwrite with: zeros, random bytes, or a page of the same file. */
function filling(bytes: Buffer, length: number, random: Random): [what: string, content: Buffer] {
  const other = Math.floor(placeIn(bytes.length, random) / PAGE) * PAGE;
  return random.one<[string, Buffer]>([
    ['zeros', Buffer.alloc(length)],
    ['random bytes', rubbish(length, random)],
    [`the bytes from ${other} on`, Buffer.from(bytes.subarray(other, other + length))],
  ]);
}

function rubbish(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
}

function overwrite(
  file: string,
  bytes: Buffer,
  at: number,
  length: number,
  random: Random,
): string | undefined {
  const [what, content] = filling(bytes, Math.min(length, bytes.length - at), random);
  if (content.equals(bytes.subarray(at, at + content.length))) return undefined;
  content.copy(bytes, at);
  writeFileSync(file, bytes);
  return `${content.length} bytes from ${at} on with ${what}`;
}

export const overwritePage: Corruption = (file, random) => {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return undefined;
  return overwrite(file, bytes, Math.floor(placeIn(bytes.length, random) / PAGE) * PAGE, PAGE, random);
};

export const overwriteRange: Corruption = (file, random) => {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return undefined;
  return overwrite(file, bytes, placeIn(bytes.length, random), random.whole(1, 9000), random);
};

export const flipBit: Corruption = (file, random) => {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return undefined;
  const at = placeIn(bytes.length, random);
  const bit = random.whole(0, 7);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(file, bytes);
  return `bit ${bit} of byte ${at} of ${bytes.length}`;
};

export const append: Corruption = (file, random) => {
  const length = random.one([1, PAGE, random.whole(2, 10_000)]);
  const content = random.next() < 0.5 ? Buffer.alloc(length) : rubbish(length, random);
  writeFileSync(file, Buffer.concat([readFileSync(file), content]));
  return `${length} bytes`;
};
