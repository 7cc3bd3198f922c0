import { type Apply, type LookupResolver, STEPS } from '../../map/index.ts';
import { FEW } from '../evidence.ts';

/** Arguments of the `number` step, most usual first. */
const NUMBER_FORMATS: readonly unknown[] = [
  true,
  'english',
  'german',
  'french',
  'swiss',
  { currency: true },
  { format: 'english', currency: true },
  { format: 'german', currency: true },
  { format: 'french', currency: true },
  { format: 'swiss', currency: true },
];

/** Arguments of the `date` step. Those with the year first come first, since they have one meaning. */
const DATE_FORMATS: readonly unknown[] = [
  true,
  ...[
    'DD.MM.YYYY',
    'D.M.YYYY',
    'DD/MM/YYYY',
    'MM/DD/YYYY',
    'D/M/YYYY',
    'M/D/YYYY',
    'DD-MM-YYYY',
    'MM-DD-YYYY',
    'D MMM YYYY',
    'MMM D, YYYY',
    'MMMM D, YYYY',
    'D MMMM YYYY',
  ].flatMap((format) => [format, `${format} HH:mm`, `${format} HH:mm:ss`, `${format} h:mm A`]),
];

/** Share of the cells that a format must read. Each cell that it cannot read will be an issue of its record. */
const MIN_READ = 0.6;
/** Share of the cells of a flag that must say yes or no. */
const MIN_YES_NO = 0.97;

/**
 * The format of numbers that reads most cells, as the arguments of the step; undefined if there is none, or if another one reads
 * nearly as many and a cell as another number: `1,299` may be a thousand or one.
 */
export function numberFormat(cells: readonly string[]): unknown {
  return onlyFormat('number', NUMBER_FORMATS, cells);
}

/**
 * The format of numbers that columns of a file have in common: a decimal comma in one says how `1.200` is read in another. undefined
 * if none shows it, or they differ. Whole numbers show nothing.
 */
export function commonNumberFormat(columns: readonly (readonly string[])[]): string | undefined {
  const found = new Set<string>();
  for (const cells of columns) {
    const format = numberFormat(cells);
    const name = formatName(format);
    if (name !== undefined) found.add(name);
    else if (format !== undefined && cells.some((cell) => /\d\.\d{1,2}(?!\d)/.test(cell)))
      found.add('english');
  }
  const [format, ...others] = found;
  return others.length === 0 ? format : undefined;
}

/** This format, with a currency if the cells have one; undefined if it does not read most cells. */
export function numberFormatOf(name: string, cells: readonly string[]): unknown {
  return onlyFormat('number', [name, { format: name, currency: true }], cells);
}

/** A cell that two formats of numbers read as different numbers. */
export interface TwoReadings {
  readonly cell: string;
  /** The larger number first: a sign for thousands is the commoner reading. */
  readonly readings: readonly { readonly format: string; readonly value: number }[];
}

/** The first of the cells that can be read in two ways; undefined if there is none, or nothing that reads most cells. */
export function twoReadings(cells: readonly string[]): TwoReadings | undefined {
  const { best, rival } = fittingFormats('number', NUMBER_FORMATS, cells);
  if (!best || !rival) return undefined;
  const at = differenceAt(rival.read, best.read);
  const readings = [best, rival]
    .map(({ args, read }) => ({ format: formatName(args) ?? 'english', value: Number(read[at]) }))
    .sort((a, b) => b.value - a.value);
  return { cell: cells[at] as string, readings };
}

/** The name in the arguments of the number step; undefined for the plain format. */
function formatName(args: unknown): string | undefined {
  const name = typeof args === 'object' && args !== null ? (args as { format?: unknown }).format : args;
  return typeof name === 'string' ? name : undefined;
}

/** True if a format of numbers reads as many cells as another. */
export function readsAsMany(format: unknown, other: unknown, cells: readonly string[]): boolean {
  return countIn(readWith('number', format, cells)) >= countIn(readWith('number', other, cells));
}

/** The format of dates; undefined if there is none, or if day and month could be exchanged in every cell. */
export function dateFormat(cells: readonly string[]): unknown {
  return onlyFormat('date', DATE_FORMATS, cells);
}

function onlyFormat(step: string, formats: readonly unknown[], cells: readonly string[]): unknown {
  const { best, rival } = fittingFormats(step, formats, cells);
  return rival === undefined ? best?.args : undefined;
}

/** A format, with the value of each cell by it. */
interface ReadCells {
  readonly args: unknown;
  readonly read: readonly unknown[];
}

/** The format that reads most cells, and one that reads nearly as many and a cell as something else. */
function fittingFormats(
  step: string,
  formats: readonly unknown[],
  cells: readonly string[],
): { readonly best: ReadCells | undefined; readonly rival: ReadCells | undefined } {
  const fitting = formats
    .map((args): ReadCells => ({ args, read: readWith(step, args, cells) }))
    .filter(({ read }) => countIn(read) >= MIN_READ * cells.length && countIn(read) > 0)
    .sort((a, b) => countIn(b.read) - countIn(a.read));
  const [best] = fitting;
  const isRival = ({ read }: ReadCells) =>
    countIn(best?.read ?? []) - countIn(read) <= FEW * cells.length &&
    differenceAt(read, best?.read ?? []) >= 0;
  return { best, rival: fitting.find(isRival) };
}

/** Index of the first cell that two formats read as different values; -1 if there is none. */
function differenceAt(read: readonly unknown[], other: readonly unknown[]): number {
  return read.findIndex(
    (value, index) => value !== undefined && other[index] !== undefined && value !== other[index],
  );
}

function countIn(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}

/** True if the `boolean` step reads nearly all of these cells. */
export function isYesNo(cells: readonly string[]): boolean {
  return cells.length > 0 && countIn(readWith('boolean', true, cells)) >= MIN_YES_NO * cells.length;
}

/** The number in each cell by a format, as the step of a mapping takes it; undefined for a cell that is none. */
export function readNumbers(format: unknown, cells: readonly string[]): (number | undefined)[] {
  return readWith('number', format, cells).map((value) => (value === undefined ? undefined : Number(value)));
}

function readWith(step: string, args: unknown, cells: readonly string[]): readonly unknown[] {
  const apply = made(step, args);
  return cells.map((cell) => apply(cell, refuse, NO_TABLES));
}

function made(name: string, args: unknown): Apply {
  const step = STEPS.find((each) => each.name === name);
  if (!step) throw new Error(`there is no step ${name}`);
  // Parsing fills in defaults, as it does for a mapping.
  return step.make(step.args.parse(args));
}

const refuse = (): undefined => undefined;
const NO_TABLES: LookupResolver = { find: () => ({ missing: 'unknown' }) };
