import { isFew } from '../../evidence.ts';
import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { ReadColumn } from '../../sample.ts';
import { fillDown, isFilledDown } from '../../structure/filled-down.ts';
import { differsIn, type GroupingGuess, rowsBelow } from '../../structure/grouping.ts';
import { areFewAlike, missingOptions, type VariantRows } from '../../structure/telling-apart.ts';
import { type MatchesByRole, withoutRoles } from '../by-role.ts';
import { type Axis, axesOf, MAX_OPTIONS, optionCandidates } from './axes.ts';
import { type SplitName, splitNames } from './split-names.ts';

/** The options of products after their rows were looked at. */
export interface SettledOptions {
  /** The roles of columns: without those that cannot be used, and with options that no name showed. */
  readonly byRole: MatchesByRole;
  /** Columns whose empty cells have the value above them, the widest first; none if they are read as they are. */
  readonly carry: readonly string[];
  /** True if the rows of a product are not variants of it. */
  readonly isRefused: boolean;
  readonly doubt: string | undefined;
  /** Options in the names of variants; undefined if there are none, or if other columns have the options. */
  readonly split: SplitName | undefined;
  /** Columns that name an option in each row, where few products have several names. */
  readonly ownNames: readonly string[];
  readonly left: readonly LeftColumn[];
}

interface LeftColumn {
  readonly candidate: ColumnCandidate;
  readonly why: string;
  readonly field: string;
}

/** The rows of a file, and how they belong together. */
export interface GroupedRows {
  readonly columns: readonly ReadColumn[];
  readonly grouping: GroupingGuess;
  readonly records: readonly (readonly number[])[];
  /** True if empty cells can be carried down: neither for objects, nor if a condition on rows needs them. */
  readonly canCarry: (column: string) => boolean;
}

/** Looks at the rows of products, whether their options are what tells them apart. */
export function settleOptions(
  byRole: MatchesByRole,
  matches: readonly RoleMatch[],
  rows: GroupedRows,
): SettledOptions {
  const unchanged = {
    byRole,
    carry: [],
    isRefused: false,
    doubt: undefined,
    split: undefined,
    ownNames: [],
    left: [],
  };
  const { grouping, columns } = rows;
  if (grouping.kind === 'rows' || (grouping.kind === 'key' && grouping.hasValuesBelow)) return unchanged;
  const axes = axesOf(byRole);
  const cellsOf = (name: string) => columns.find((column) => column.name === name)?.cells ?? [];
  const products = variantRowsOf(rows);
  const several = axes.map((axis) => severalNames(axis, products, cellsOf));
  if (several.includes('most')) return refused(byRole, rows);
  const ownNames = axes.flatMap(({ name }, n) =>
    typeof name === 'string' && several[n] === 'few' ? [name] : [],
  );
  const [name] = axes.length === 0 ? byRole('variantName') : [];
  const split = name && splitNames(name.candidate, products);
  if (split) return { ...unchanged, split };
  const values = axes.map(({ value }) => cellsOf(value));
  const codes = codeCells(byRole, grouping);
  const codeOf = (row: number) =>
    codes.map((cells) => (cells[row] ?? '').trim()).find((code) => code !== '') ?? '';
  const merged = grouping.kind === 'key' ? mergedIn(axes, products, values) : [];
  const prices = merged.length > 0 ? mergedPrices(byRole, merged.map(cellsOf)) : [];
  const carry = merged.length > 0 && grouping.kind === 'key' ? [grouping.key.name, ...merged, ...prices] : [];
  const canCarry = carry.every(rows.canCarry);
  const read = values.map((cells, n) =>
    canCarry && merged.includes(axes[n]?.value ?? '') ? fillDown(products, cells) : cells,
  );
  const settled = {
    ...unchanged,
    ownNames,
    carry: canCarry ? carry : [],
    doubt:
      canCarry && merged.length > 0
        ? `empty cells of ${merged.join(', ')} have the value above them, as merged cells do`
        : undefined,
  };
  if (areFewAlike(products, read, codeOf)) return settled;
  const isFamily = byRole('optionValue').length > 0;
  const { found, possible } = missingOptions(products, read, {
    codeOf,
    columns: columns.filter((column) => isFree(column, matches)),
    most: isFamily ? 0 : MAX_OPTIONS - axes.length,
  });
  if (found.length > 0) return withOptions(settled, found);
  if (axes.length === 0) return settled;
  const others = possible.map(({ name }) => name).slice(0, MAX_NAMED);
  const why = `rows of one product have the same value in it and different codes, so another option is missing${
    others.length === 0 ? '' : `, perhaps ${others.join(' or ')}`
  }`;
  return {
    ...unchanged,
    byRole: withoutRoles(byRole, OPTION_ROLES),
    left: optionCandidates(byRole).map((candidate) => ({ candidate, why, field: 'options' })),
  };
}

const OPTION_ROLES: readonly string[] = ['axis', 'optionName', 'optionValue'];
/** Columns that a comment names. */
const MAX_NAMED = 3;
/** Measures, which can be options: the length of trousers. */
const MEASURES: readonly string[] = ['depth', 'width', 'height'];

/** A column without a meaning, or with a measure. */
function isFree({ positions }: ReadColumn, matches: readonly RoleMatch[]): boolean {
  const [own] = positions;
  const match = matches.find(({ candidate }) => candidate.positions.includes(own ?? -1));
  return match === undefined || MEASURES.includes(match.role);
}

/** Adds options whose columns are not called so. */
function withOptions(settled: SettledOptions, found: readonly ReadColumn[]): SettledOptions {
  const { byRole, doubt } = settled;
  const added = found.map((candidate): RoleMatch => ({ role: 'axis', candidate, score: 1 }));
  const names = found.map(({ name }) => name);
  const isAdded = ({ candidate }: RoleMatch) => names.includes(candidate.name);
  const why = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} used, since nothing else tells the rows of one product apart`;
  return {
    ...settled,
    byRole: (role) =>
      role === 'axis' ? [...byRole(role), ...added] : byRole(role).filter((match) => !isAdded(match)),
    doubt: doubt === undefined ? why : `${doubt}; ${why}`,
  };
}

/** Rows with another option each are not variants: a product has a value of each of its options. */
function refused(byRole: MatchesByRole, { grouping, records }: GroupedRows): SettledOptions {
  const leave =
    (why: string, field: string) =>
    (match: RoleMatch): LeftColumn => ({
      candidate: match.candidate,
      why,
      field,
    });
  const differs = ({ candidate }: RoleMatch) => differsIn(records, candidate.cells ?? []);
  const isKey = ({ candidate }: RoleMatch) => grouping.kind !== 'key' || candidate.name === grouping.key.name;
  const stock = byRole('stock').filter((match) => grouping.kind !== 'key' || differs(match));
  const codes = ['sku', 'code'].flatMap(byRole).filter((match) => !isKey(match) && differs(match));
  return {
    byRole: stock.length > 0 ? withoutRoles(byRole, ['stock']) : byRole,
    carry: [],
    isRefused: true,
    doubt: undefined,
    split: undefined,
    ownNames: [],
    left: [
      ...optionCandidates(byRole).map((candidate) => ({
        candidate,
        why: 'the rows of one product have different options, so they do not show which values go together',
        field: 'options',
      })),
      ...codes.map(leave('its rows are values of different options, and not variants', 'variants')),
      ...stock.map(leave('it is the stock of values of different options', 'quantity.instock')),
    ],
  };
}

/** The share of the products whose rows have several names in the column that names an option: one in twenty decides nothing. */
function severalNames(
  { name, value }: Axis,
  products: VariantRows,
  cellsOf: (column: string) => readonly string[],
): 'none' | 'few' | 'most' {
  if (typeof name !== 'string') return 'none';
  const [names, values] = [cellsOf(name), cellsOf(value)];
  const valued = products
    .map((rows) => rows.filter((row) => !isBlankCell(values[row] ?? '')))
    .filter((rows) => rows.length > 1);
  const different = valued.filter((rows) => {
    const found = rows.map((row) => (names[row] ?? '').trim().toLowerCase()).filter((text) => text !== '');
    return new Set(found).size > 1;
  });
  if (different.length === 0) return 'none';
  return isFew(different.length, valued.length) ? 'few' : 'most';
}

/** The options that are filled in the first row of several only, the widest first. */
function mergedIn(
  axes: readonly Axis[],
  products: VariantRows,
  values: readonly (readonly string[])[],
): string[] {
  const filled = ({ value }: Axis, n: number) => ({
    value,
    count: values[n]?.filter((cell) => !isBlankCell(cell)).length ?? 0,
  });
  const isMerged = (_: unknown, n: number) =>
    isFilledDown(
      products,
      values[n] ?? [],
      values.filter((_each, other) => other !== n),
    );
  return axes
    .map(filled)
    .filter(isMerged)
    .sort((a, b) => a.count - b.count)
    .map(({ value }) => value);
}

/** Prices that are merged over the same rows as an option. */
function mergedPrices(byRole: MatchesByRole, merged: readonly (readonly string[])[]): string[] {
  return ['price', 'regular', 'sale', 'net']
    .flatMap(byRole)
    .filter(({ candidate: { cells = [] } }) =>
      merged.some((option) =>
        option.every((cell, row) => isBlankCell(cell) === isBlankCell(cells[row] ?? '')),
      ),
    )
    .map(({ candidate }) => candidate.name);
}

/** Cells that identify a row. The key of its product does not. */
function codeCells(byRole: MatchesByRole, grouping: GroupingGuess): (readonly string[])[] {
  const ofRows = grouping.kind === 'parent' || grouping.kind === 'parts' ? [grouping.name.cells] : [];
  const key = grouping.kind === 'key' ? grouping.key.name : undefined;
  const found = ['sku', 'code', 'barcode'].flatMap(byRole).filter(({ candidate }) => candidate.name !== key);
  return [...ofRows, ...found.flatMap(({ candidate }) => (candidate.cells ? [candidate.cells] : []))];
}

/** The rows of each product that are variants: without the row of the product itself. */
function variantRowsOf({ grouping, records, columns }: GroupedRows): VariantRows {
  if (grouping.kind === 'parent' || grouping.kind === 'parts') {
    const below = new Set(rowsBelow(grouping));
    return records.map((rows) => rows.filter((row) => below.has(row)));
  }
  const lead = grouping.kind === 'key' ? grouping.lead : undefined;
  if (!lead) return records;
  const cells = columns.find(({ name }) => name === lead.column)?.cells ?? [];
  return records.map((rows) => rows.filter((row) => (cells[row] ?? '').trim() !== lead.text));
}
