import { type Apply, type LookupResolver, STEPS } from '../../map/index.ts';

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
  ].flatMap((format) => [format, `${format} HH:mm`, `${format} HH:mm:ss`, `${format} h:mm A`]),
  'D MMM YYYY',
  'MMM D, YYYY',
  'MMMM D, YYYY',
  'D MMMM YYYY',
];

/** Cells that a format must read. What it cannot read will be issues of single records. */
const MOST = 0.97;

/**
 * The format of numbers that reads nearly all cells, as the arguments of the step; undefined if there is none, or if
 * another one reads a cell as another number: `1,299` may be a thousand or one.
 */
export function numberFormat(cells: readonly string[]): unknown {
  return onlyFormat('number', NUMBER_FORMATS, cells);
}

/** The format of dates; undefined if there is none, or if day and month could be exchanged in every cell. */
export function dateFormat(cells: readonly string[]): unknown {
  return onlyFormat('date', DATE_FORMATS, cells);
}

function onlyFormat(step: string, formats: readonly unknown[], cells: readonly string[]): unknown {
  const fitting = formats
    .map((args) => ({ args, read: readWith(step, args, cells) }))
    .filter(({ read }) => countIn(read) >= MOST * cells.length && countIn(read) > 0)
    .sort((a, b) => countIn(b.read) - countIn(a.read));
  const [best] = fitting;
  const isRival = ({ read }: (typeof fitting)[number]) =>
    read.some(
      (value, index) => value !== undefined && best?.read[index] !== undefined && value !== best.read[index],
    );
  return best && !fitting.some(isRival) ? best.args : undefined;
}

function countIn(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}

/** True if the `boolean` step reads nearly all of these cells. */
export function isYesNo(cells: readonly string[]): boolean {
  return cells.length > 0 && countIn(readWith('boolean', true, cells)) >= MOST * cells.length;
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
