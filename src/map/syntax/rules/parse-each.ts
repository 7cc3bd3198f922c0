import type { FieldType } from '../../../resources/index.ts';
import type { ListRule, NamedParts } from '../../mapping.ts';
import { gapsIn } from '../../rows/header-pattern.ts';
import { below } from '../document.ts';
import { VARIABLES } from '../parse-source.ts';
import type { ImportRulePlace } from '../places.ts';
import { parseValue } from './parse-value.ts';

const EACH =
  'each takes row, child, rows with the same text: { by: Column }, numbers for columns such as Option{n} Name: { n: [1, 2, 3] }, columns whose names have a part in common: { size: { columns: "Size {size}" } }, parts of a cell: { part: { from: Column, split: "," } }, or a list in JSON: { in: variants }.';

/** Parses what a list iterates over: rows, groups of rows, numbers, columns, or the parts of values with their own sources and steps. */
export function parseEach(place: ImportRulePlace, value: unknown): ListRule['each'] {
  const { document, path } = place;
  if (value === 'row') return { over: 'rows' };
  if (value === 'child') return { over: 'rows', exceptLead: true };
  const families = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [family] = families;
  if (family && families.length === 1) {
    const [name, given] = family;
    if (name === 'by') return parseBy(place, given);
    if (name === 'in' && typeof given === 'string') return { over: 'items', path: given };
    if (Array.isArray(given)) return { over: 'numbers', name, values: given.map(String) };
    if (isOfColumns(given)) return parseColumns(place, name, given);
  }
  if (families.length > 0 && families.every(([, given]) => isSource(given))) {
    const parts = families.flatMap(([name, given]) => parseParts(place, name, given) ?? []);
    return { over: 'parts', parts };
  }
  document.addError(path, EACH);
  return { over: 'rows' };
}

/** Parses `{ by: Size }` or `{ by: [Size, Colour] }`. */
function parseBy({ document, path }: ImportRulePlace, given: unknown): ListRule['each'] {
  const by = [given].flat();
  if (by.length === 0 || !by.every((name) => typeof name === 'string'))
    document.addError(
      [...path, 'by'],
      'by takes the name of a column, or a list of names: rows with the same text there are one item.',
    );
  return { over: 'groups', by: by.map(String) };
}

function isSource(given: unknown): boolean {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !isOfColumns(given);
}

function isOfColumns(given: unknown): given is { readonly columns: unknown } {
  return typeof given === 'object' && given !== null && 'columns' in given;
}

/** Parses `{ size: { columns: "Size {size}" } }`. The values are known once a file is. */
function parseColumns(
  place: ImportRulePlace,
  name: string,
  given: { readonly columns: unknown },
): ListRule['each'] {
  const { columns } = given;
  const isPattern =
    typeof columns === 'string' &&
    gapsIn(columns).join() === name &&
    columns.replace(`{${name}}`, '').trim() !== '';
  if (!isPattern || Object.keys(given).length > 1) {
    const example = `{ ${name}: { columns: "Prefix {${name}}" } }`;
    place.document.addError(
      [...place.path, name],
      `columns takes the name of columns with {${name}} once and other text around it: ${example}.`,
    );
    return { over: 'rows' };
  }
  return { over: 'numbers', name, values: [], columns };
}

/** Parses `{ part: { from: Column, split: "," } }`. Adds an error if the name is wrong. */
function parseParts(place: ImportRulePlace, name: string, given: unknown): NamedParts | undefined {
  if (!isPartName(name)) {
    place.document.addError(
      [...place.path, name],
      `a part has a name of letters and digits, such as part, and not row, rows or file; found "${name}".`,
    );
    return undefined;
  }
  const value = parseValue(
    { ...below(place, name), inList: true, type: ANYTHING, mayHaveFields: false },
    given as Record<string, unknown>,
  );
  return { name, value };
}

const ANYTHING: FieldType = { kind: 'anything' };

/** True for a valid name of a part: letters and digits, and not a variable that every expression has. */
function isPartName(name: string): boolean {
  return /^\p{L}[\p{L}\p{N}_]*$/u.test(name) && !VARIABLES.includes(name);
}
