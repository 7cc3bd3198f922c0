import { restore } from '../../model/index.ts';
import { referred } from '../references.ts';
import type { NameResolver, ReadText } from './eval-context.ts';

export function positionsOf(columns: readonly string[], resolver: NameResolver): number[] {
  return columns.map((column) => resolver.find(column)).filter((position) => position !== undefined);
}

/**
 * Reads the text of one row from the first of its columns that is not empty, after restoring what an export defused. A
 * cell with only blanks is empty, trimmed or not. Records the place in the context.
 */
export function readColumns(
  { names: columns, join }: { readonly names: readonly string[]; readonly join?: string },
  resolver: NameResolver,
  trim: boolean,
): ReadText {
  const positions = positionsOf(columns, resolver);
  if (join !== undefined) {
    const readers = columns.map((column) => readColumns({ names: [column] }, resolver, trim));
    return (context, row) =>
      readers
        .map((read) => read(context, row))
        .filter((text) => text !== '')
        .join(join);
  }
  if (columns.some((column) => referred(column) !== undefined))
    return readFirst(columns.map((column) => readNamed(column, resolver, trim)));
  return (context, row) => {
    for (const position of positions) {
      const cell = row.cells[position];
      if (cell === undefined || cell === '') continue;
      const text = resolver.exact ? cell : restore(cell);
      const trimmed = isTrimmed(text) ? text : text.trim();
      if (trimmed === '') continue;
      context.at.row = row;
      context.at.column = position;
      return trim ? trimmed : text;
    }
    return '';
  };
}

/** True for text that begins and ends with visible ASCII, as most cells do. */
function isTrimmed(text: string): boolean {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1));
}

function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function readFirst(readers: readonly ReadText[]): ReadText {
  return (context, row) => {
    for (const read of readers) {
      const text = read(context, row);
      if (text !== '') return text;
    }
    return '';
  };
}

/** Compiles the reader of a column, or of a reference in braces. */
export function readNamed(column: string, resolver: NameResolver, trim: boolean): ReadText {
  const inner = referred(column);
  const read = inner === undefined ? undefined : resolver.resolveReference(inner);
  if (!read) return readColumns({ names: inner === undefined ? [column] : [] }, resolver, trim);
  return (context, row) => {
    const text = read(context, row);
    const trimmed = text.trim();
    return trim || trimmed === '' ? trimmed : text;
  };
}

export function readTemplate(
  source: { readonly parts: readonly (string | { readonly column: string })[] },
  resolver: NameResolver,
  trim: boolean,
): ReadText {
  return templateText(
    source.parts.map((part) =>
      typeof part === 'string' ? resolver.substitute(part) : readNamed(part.column, resolver, trim),
    ),
  );
}

/** Reads one text from a row of a file, or from an item of the store; '' if there is none. */
type Read<From extends unknown[]> = (...from: From) => string;

/** A template is absent if all its values are empty, since its fixed text alone has no meaning. */
export function templateText<From extends unknown[]>(parts: readonly (string | Read<From>)[]): Read<From> {
  return (...from) => {
    let filled = false;
    const text = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = part(...from);
      filled ||= value !== '';
      return value;
    });
    return filled ? text.join('').trim() : '';
  };
}
