import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import { ConfigError, losesDigits } from '../../model/index.ts';

/** A place inside a mapping document: keys and list positions from the root. */
export type Path = readonly (string | number)[];

/** A mapping file (or another in YAML) as data, with the way back from a place in the data to line and column of the text. */
export interface MappingDocument {
  /** File or preset name, for messages. */
  readonly name: string;
  readonly value: unknown;
  /** The names of a map as they stand in the text; as properties of an object, numbers would come first. */
  inOrder(path: Path, names: readonly string[]): string[];
  /** What the text says at a place, in one line, and the line there. */
  textAt(path: Path): { readonly line: number; readonly text: string };
  /** Notes what is wrong at a place; `throwIfAny` reports all of them together. */
  addError(path: Path, message: string): void;
  throwIfAny(): void;
}

/**
 * Reads YAML (of which JSON is a part). Throws ConfigError with line and column where the text is neither.
 * `what` has the mistakes, in messages.
 */
export function parseMappingDocument(
  name: string,
  text: string,
  what = `The mapping ${name}`,
): MappingDocument {
  if (text.length > LONGEST)
    throw new ConfigError(`${what} has ${text.length} characters, and up to ${LONGEST} are read.`, [
      'Is this the right file? A mapping is a short text; tables go into files of their own, see lookup.',
    ]);
  const lines = new LineCounter();
  const document = parsed(text, lines, what);
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    message,
  }));
  const complainAt = (offset: number, message: string) => void problems.push({ offset, message });
  /** As they stand in the text, and not in the order in which it was looked at. */
  const report = () => {
    if (problems.length === 0) return;
    const sorted = [...problems].sort((a, b) => a.offset - b.offset);
    throw new ConfigError(
      `${what} has ${count(problems.length, 'mistake')}.`,
      sorted.map(({ offset, message }) => at(lines, offset, message)),
    );
  };
  report();
  const value = plainValue(document, complainAt);
  report();
  return {
    name,
    value,
    inOrder: (path, names) => {
      const offset = (name: string) => offsetOf(document.contents, [...path, name]);
      return [...names].sort((a, b) => offset(a) - offset(b));
    },
    textAt: (path) => {
      const { start, end } = rangeOf(document.contents, path);
      return {
        line: lines.linePos(offsetOf(document.contents, path)).line,
        text: oneLine(text.slice(start, end)),
      };
    },
    addError: (path, message) => complainAt(offsetOf(document.contents, path), message),
    throwIfAny: report,
  };
}

/** Mappings of large platforms have some thousands of characters. */
const LONGEST = 1_000_000;

/** Lists in lists, and maps in maps: what a mapping says needs about ten. */
const DEEPEST = 50;

function parsed(text: string, lineCounter: LineCounter, what: string): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // Thousands of brackets are more than the stack holds.
    if (error instanceof RangeError) throw new ConfigError(`${what} is ${TOO_DEEP}`);
    throw error;
  }
}

const TOO_DEEP = `nested more than ${DEEPEST} deep.`;

function isTooDeep(value: unknown, deep = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return deep > DEEPEST || Object.values(value).some((inner) => isTooDeep(inner, deep + 1));
}

/** The document as data, with `*name` replaced by what `&name` stands at. */
function plainValue(document: Document, complainAt: (offset: number, message: string) => void): unknown {
  let unknown = 0;
  visit(document, {
    Scalar(_key, { value, source, range }) {
      // Checked here: as data it is a number that has lost its digits.
      if (
        typeof value === 'number' &&
        source !== undefined &&
        /^[-+]?\d{16,}$/.test(source) &&
        losesDigits(source)
      )
        complainAt(range?.[0] ?? 0, `${source} has more digits than a number can hold: write it in quotes.`);
    },
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      unknown++;
      complainAt(
        alias.range?.[0] ?? 0,
        `*${alias.source} repeats something that no &${alias.source} before it names.`,
      );
    },
  });
  if (unknown > 0) return undefined;
  try {
    // The bound keeps a file whose aliases repeat aliases from growing without end.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (!isTooDeep(value)) return value;
    complainAt(0, `the document is ${TOO_DEEP}`);
    return undefined;
  } catch (error) {
    complainAt(0, `the document cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

function at(lines: LineCounter, offset: number, message: string): string {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}: ${message}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Where the value at `path` begins and ends. */
function rangeOf(root: unknown, path: Path): { start: number; end: number } {
  let node = root as Node | null;
  for (const step of path) {
    const pair =
      isMap(node) && node.items.find(({ key }: Pair) => isScalar(key) && String(key.value) === String(step));
    const inside = pair
      ? pair.value
      : (node as { get?(key: unknown, keep: boolean): unknown } | null)?.get?.(step, true);
    node = (inside ?? null) as Node | null;
  }
  return { start: node?.range?.[0] ?? 0, end: node?.range?.[1] ?? 0 };
}

/** Where the deepest part of `path` that exists begins: a key of a map, else the item itself. */
function offsetOf(root: unknown, path: Path): number {
  let node = root as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        (item: Pair) => isScalar(item.key) && String(item.key.value) === String(step),
      );
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else {
      const item = (node as { get?(key: unknown, keep: boolean): unknown } | null)?.get?.(step, true);
      if (!item) break;
      node = item as Node;
      offset = node.range?.[0] ?? offset;
    }
  }
  return offset;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

export function asObject(
  document: MappingDocument,
  value: unknown,
  path: Path,
  expected: string,
): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  document.addError(path, expected);
  return {};
}
