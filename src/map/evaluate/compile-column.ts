import type { Json, JsonObject } from '../../model/index.ts';
import type { ExportColumn } from '../export-mapping.ts';
import type { MappingCondition, SourcedValue } from '../mapping.ts';
import { chain, NO_LOOKUPS } from '../steps/index.ts';
import { templateText } from './read-text.ts';

/** Reads paths and writes cells, in the same way with and without a mapping. */
export interface Cells {
  /** Reads the value at a path, or the rest of the item for `*`. */
  reader(path: string): ItemEvaluator;
  /** Writes a value as the text of a cell. */
  text(value: Json | undefined): string;
}

/** Evaluates one column of an exported item; undefined if the item has nothing there. */
export type ItemEvaluator = (item: JsonObject) => Json | undefined;

/**
 * Compiles a column of an export to a function of the item. If a step reports a problem, the cell keeps the store's
 * value, so that nothing is lost, and `onProblem` is called.
 */
export function compileColumn(
  { values }: ExportColumn,
  cells: Cells,
  onProblem: (item: JsonObject, message: string) => void,
): ItemEvaluator {
  return firstFilled(values.map((value) => compileExportValue(value, cells, onProblem)));
}

function compileExportValue(
  { source, trim, split, steps, when, otherwise, default: fallback }: SourcedValue,
  cells: Cells,
  onProblem: (item: JsonObject, message: string) => void,
): ItemEvaluator {
  const read = readSource({ source, trim }, cells);
  const holds = when && readCondition(when, cells);
  const transform = chain(split, steps) ?? (trim ? (text: string) => text : undefined);

  const converted = (item: JsonObject): Json | undefined => {
    const value = read(item);
    if (!transform || isEmpty(value)) return value;
    const text = cells.text(value);
    let problem: string | undefined;
    const addIssue = (_code: string, message: string) => {
      problem ??= message;
      return undefined;
    };
    const result = transform(trim ? text.trim() : text, addIssue, NO_LOOKUPS);
    if (problem === undefined) return result;
    onProblem(item, problem);
    return value;
  };
  const withDefault: ItemEvaluator =
    fallback === undefined
      ? converted
      : (item) => {
          const value = converted(item);
          return isEmpty(value) ? fallback : value;
        };
  return holds ? (item) => (holds(item) ? withDefault(item) : otherwise) : withDefault;
}

function readSource({ source, trim }: Pick<SourcedValue, 'source' | 'trim'>, cells: Cells): ItemEvaluator {
  if (source.kind === 'constant') return () => source.value;
  if (source.kind === 'expression') throw new Error('expressions are for mappings that read files');
  const text = (value: Json | undefined) => (trim ? textOf(value, cells).trim() : textOf(value, cells));
  if (source.kind === 'template') {
    const readText = (path: string) => {
      const read = cells.reader(path);
      return (item: JsonObject) => text(read(item));
    };
    const fill = templateText(
      source.parts.map((part) => (typeof part === 'string' ? part : readText(part.column))),
    );
    return (item) => fill(item) || undefined;
  }
  const readers = source.names.map(cells.reader);
  const { join } = source;
  if (join === undefined) return firstFilled(readers);
  return (item) => {
    // Each item of a list is joined.
    const texts = readers.flatMap((read) => read(item) ?? []).map(text);
    return texts.filter((each) => each !== '').join(join) || undefined;
  };
}

function readCondition({ tests }: MappingCondition, cells: Cells): (item: JsonObject) => boolean {
  const textIn = (column: string) => {
    const read = cells.reader(column);
    return (item: JsonObject) => textOf(read(item), cells).trim();
  };
  const allTests = tests.map(({ column, other, holds }) => {
    const [text, otherText] = [textIn(column), other === undefined ? undefined : textIn(other)];
    return (item: JsonObject) => holds(text(item), otherText?.(item));
  });
  return (item) => allTests.every((holds) => holds(item));
}

/** If all are empty, returns the first value unchanged: an empty list is still a list. */
function firstFilled([first, ...others]: readonly ItemEvaluator[]): ItemEvaluator {
  if (first === undefined || others.length === 0) return first ?? (() => undefined);
  return (item) => {
    const value = first(item);
    if (!isEmpty(value)) return value;
    for (const take of others) {
      const other = take(item);
      if (!isEmpty(other)) return other;
    }
    return value;
  };
}

function textOf(value: Json | undefined, { text }: Cells): string {
  return isEmpty(value) ? '' : text(value);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}
