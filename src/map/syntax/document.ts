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

/** A place in a mapping document: keys and list positions from the root. */
export type Path = readonly (string | number)[];

/** A YAML file (a mapping or another) as data. Finds line and column in the text for a place in the data. */
export interface MappingDocument {
  /** File or preset name, for messages. */
  readonly name: string;
  readonly value: unknown;
  /** The names of a map in the order of the text. Properties of an object would put numbers first. */
  inOrder(path: Path, names: readonly string[]): string[];
  /** The text at a place, as one line, and its line number. */
  textAt(path: Path): { readonly line: number; readonly text: string };
  /** Adds an error at a place; `throwIfAny` reports all errors together. */
  addError(path: Path, message: string): void;
  throwIfAny(): void;
}

/**
 * Parses YAML, which includes JSON. Throws ConfigError with line and column if the text is neither. `what` names the
 * document in messages.
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
  const addErrorAt = (offset: number, message: string) => void problems.push({ offset, message });
  /** Reports errors in the order of the text, not in the order in which they were found. */
  const report = () => {
    if (problems.length === 0) return;
    const sorted = [...problems].sort((a, b) => a.offset - b.offset);
    throw new ConfigError(
      `${what} has ${count(problems.length, 'mistake')}.`,
      sorted.map(({ offset, message }) => at(lines, offset, message)),
    );
  };
  report();
  const value = plainValue(document, text, addErrorAt);
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
    addError: (path, message) => addErrorAt(offsetOf(document.contents, path), message),
    throwIfAny: report,
  };
}

/** Mappings of large platforms have some thousands of characters. */
const LONGEST = 1_000_000;

/** Depth of nested lists and maps. A mapping needs about ten levels. */
const DEEPEST = 50;

function parsed(text: string, lineCounter: LineCounter, what: string): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    // Thousands of nested brackets exceed the stack.
    if (error instanceof RangeError) throw new ConfigError(`${what} is ${TOO_DEEP}`);
    throw error;
  }
}

const TOO_DEEP = `nested more than ${DEEPEST} deep.`;

function isTooDeep(value: unknown, deep = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return deep > DEEPEST || Object.values(value).some((inner) => isTooDeep(inner, deep + 1));
}

type AddErrorAt = (offset: number, message: string) => void;

/** The document as data, with each alias `*name` replaced by the value of its anchor `&name`. */
function plainValue(document: Document, text: string, addErrorAt: AddErrorAt): unknown {
  // Few texts have long numbers, and a visit takes as long as all that follows.
  if (/\d{16}/.test(text)) refuseLongNumbers(document, addErrorAt);
  try {
    // The limit stops files whose aliases repeat aliases and so grow exponentially.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (!isTooDeep(value)) return value;
    addErrorAt(0, `the document is ${TOO_DEEP}`);
    return undefined;
  } catch (error) {
    if (!refuseUnknownAliases(document, addErrorAt))
      addErrorAt(0, `the document cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

/** Checked before the document is made into data, where the numbers have already lost their digits. */
function refuseLongNumbers(document: Document, addErrorAt: AddErrorAt): void {
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (
        typeof value === 'number' &&
        source !== undefined &&
        /^[-+]?\d{16,}$/.test(source) &&
        losesDigits(source)
      )
        addErrorAt(range?.[0] ?? 0, `${source} has more digits than a number can hold: write it in quotes.`);
    },
  });
}

/** Returns false if there is no unknown alias. */
function refuseUnknownAliases(document: Document, addErrorAt: AddErrorAt): boolean {
  let isAny = false;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      isAny = true;
      addErrorAt(
        alias.range?.[0] ?? 0,
        `*${alias.source} repeats something that no &${alias.source} before it names.`,
      );
    },
  });
  return isAny;
}

function at(lines: LineCounter, offset: number, message: string): string {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}: ${message}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Start and end of the value at `path`. */
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

/** Start of the deepest part of `path` that exists: the key in a map, otherwise the item itself. */
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

/** A value in a document that is being parsed. */
export interface DocumentPlace {
  readonly document: MappingDocument;
  readonly path: Path;
}

/** The place of the value that these keys lead to. */
export function below<Place extends DocumentPlace>(place: Place, ...keys: Path): Place {
  return { ...place, path: [...place.path, ...keys] };
}

/** Returns the value if it is an object; otherwise adds an error, and returns an empty object. */
export function asObject(
  { document, path }: DocumentPlace,
  value: unknown,
  expected: string,
): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  document.addError(path, expected);
  return {};
}
