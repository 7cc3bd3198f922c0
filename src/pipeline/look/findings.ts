import type { SourceFile } from '../../ledger/index.ts';
import {
  type FileFigures,
  type FindingCode,
  grouped,
  type LookFinding,
  type OpenFigures,
  type OpenLook,
  type OpenTail,
} from '../../model/index.ts';
import { shownNumber } from '../../report/index.ts';
import { at, differentIn, isWhole, shownFigures } from './figures.ts';
import { jumpsIn } from './jumps.ts';
import { MAX_TAIL } from './tail.ts';

const MAX_ROWS = 5;

/** Below this many records, nothing is said about what most of them have. */
const MIN_RECORDS = 8;

/** A finding before it is about a file. */
type FoundIn = Omit<LookFinding, 'file'>;

/** The figures as people see them. */
export function figuresOf({ records, close, figures }: OpenLook): FileFigures {
  const fields = Object.entries<OpenFigures>(figures).map(([field, open]) => shownFigures(field, open));
  return { records, ...(close < records ? { sampled: close } : {}), fields };
}

/** Lists the findings in the files. `accepted`: codes that the user has silenced. */
export function findingsIn(files: readonly SourceFile[], accepted: readonly string[] = []): LookFinding[] {
  return files.flatMap((file) =>
    [...(file.look ? lookFindings(file.look) : []), ...columnFindings(file), ...warningFindings(file)]
      .filter(({ code }) => !accepted.includes(code))
      .map(({ code, ...rest }) => ({ code, file: file.file, ...rest })),
  );
}

function lookFindings(look: OpenLook): FoundIn[] {
  if (look.records === 0) return [];
  return [
    ...noPrice(look),
    ...marked(look),
    ...Object.entries<OpenFigures>(look.figures).flatMap(([field, open]) => [
      ...outliers(field, open, look),
      ...oneValue(field, open, look.close),
    ]),
    ...repeatedNames(look),
    ...otherNames(look),
    ...noPictures(look),
    ...jumpsIn(look.marks),
  ];
}

/** Properties of single records that are findings in any number. */
const MARKED: Readonly<Partial<Record<FindingCode, Omit<FoundIn, 'code' | 'count' | 'rows'>>>> = {
  'price-below-cost': {
    field: 'price.salePrice',
    message: 'The price is lower than the purchase price.',
    advice:
      'Check that the two columns are not exchanged, and that no price is per piece and the other per pack.',
  },
  'sale-above-compare': {
    field: 'price.comparePrice',
    message: 'The price is higher than the former price that it is shown beside.',
    advice: 'Check that the two columns are not exchanged, or leave the former price out where it is lower.',
  },
  'fractional-stock': {
    field: 'quantity.instock',
    message: 'The stock is not a whole number.',
    advice: 'Check that the column is the stock, and that its numbers are read with the right decimal sign.',
  },
  'lone-option': {
    field: 'variants',
    message: 'Only one of the variants has an option that the others lack.',
    advice: 'Give each variant of the product a value for each of its options.',
  },
};

function marked({ marks }: OpenLook): FoundIn[] {
  return Object.entries(MARKED).flatMap(([code, words]): FoundIn[] => {
    const [count = 0, rows = []] = marks[code] ?? [];
    return count === 0 ? [] : [{ code: code as FindingCode, ...words, count, rows }];
  });
}

function noPrice({ marks, records }: OpenLook): FoundIn[] {
  const [count, rows] = marks['no-price'] ?? [0, []];
  if (count === 0) return [];
  return [
    {
      ...{ code: 'no-price', field: 'price.salePrice', count, rows },
      message: count === records ? 'No product has a price.' : 'There is no price, or it is 0.',
      advice: 'Map the column with the price, or fill these cells. A shop may give away what has no price.',
    },
  ];
}

/** Pictures are missed only where nearly all other records have some. */
function noPictures({ marks, records }: OpenLook): FoundIn[] {
  const [count, rows] = marks['no-picture'] ?? [0, []];
  if (count === 0 || records < MIN_RECORDS || count * 5 > records) return [];
  return [
    {
      ...{ code: 'no-picture', field: 'images', count, rows },
      message: 'There is no picture, and nearly all others have one.',
      advice: 'Fill the column of pictures in these rows.',
    },
  ];
}

/** Distance from the quartiles, as a factor; the cube of their own distance if that is more. Cheap things beside dear ones are usual. */
const MIN_FACTORS = { above: 20, below: 50 };
/** Factor between a number that is far and the next one: without a gap, it is at the end of the usual ones. */
const MIN_GAP = 3;

/** Finds numbers that are far from all others: by a factor, since prices differ by factors. */
function outliers(
  field: string,
  { spread = [], highest = [], least = [] }: OpenFigures,
  { records }: OpenLook,
): FoundIn[] {
  const positive = spread.filter(([, , value]) => value > 0);
  const inSpread = totalOf(positive);
  if (inSpread < 2 * MIN_RECORDS) return [];
  const [low] = at(positive, 0.25) as [number, number];
  const [high] = at(positive, 0.75) as [number, number];
  const most = high * Math.max(MIN_FACTORS.above, (high / low) ** 3);
  // A stock of 1 is never too small.
  const smallest = field.startsWith('price.') ? low / Math.max(MIN_FACTORS.below, (high / low) ** 3) : 0;
  const values = [...positive.map(([, , value]) => value), ...[...highest, ...least].map(([value]) => value)];
  const to = endOf(
    values.sort((a, b) => a - b),
    most,
  );
  const from = -endOf(values.map((value) => -value).reverse(), -smallest);
  const isSmall = (value: number) => value > 0 && value < from;
  const isFar = (value: number) => value > to || isSmall(value);
  // With few different values, both tails have all of them.
  const tails = [highest.filter(([value]) => value > to), least.filter(([value]) => isSmall(value))];
  const far = tails.flat();
  // A tail that is full may have lost some.
  const isCounted = tails.every(({ length }) => length < MAX_TAIL);
  const estimate = (totalOf(positive.filter(([, , value]) => isFar(value))) / inSpread) * records;
  const count = Math.max(totalOf(far), isCounted ? 0 : Math.round(estimate));
  if (count === 0 || (count > 1 && count * 20 > records)) return [];
  const shown = far.slice(0, MAX_ROWS).map(([value]) => shownNumber(value));
  return [
    {
      ...{ code: 'outlier', field, count, rows: rowsOf(far) },
      message: `Far from all others: ${shown.join(', ')}. Half of all values are between ${shownNumber(low)} and ${shownNumber(high)}.`,
      advice: 'Check the decimal sign, the unit and the currency of these cells.',
    },
  ];
}

/** The largest of sorted values that is usual: not above a limit, or without a gap behind one that is. */
function endOf(values: readonly number[], limit: number): number {
  let end = limit;
  let last: number | undefined;
  for (const value of values) {
    if (value > limit && last !== undefined && isApart(last, value)) break;
    end = Math.max(end, value);
    last = value;
  }
  return end;
}

function isApart(a: number, b: number): boolean {
  return Math.max(Math.abs(a), Math.abs(b)) >= MIN_GAP * Math.min(Math.abs(a), Math.abs(b));
}

/** Sum of the counts, which are second in tails and spreads. */
function totalOf(values: readonly (readonly [number, number, ...number[]])[]): number {
  return values.reduce((sum, [, each]) => sum + each, 0);
}

function rowsOf(values: OpenTail): number[] {
  return values
    .slice(0, MAX_ROWS)
    .map(([, , row]) => row)
    .sort((a, b) => a - b);
}

/** Fields that differ from record to record in any shop. */
const DIFFERING = new Set(['name', 'price.salePrice', 'email', 'phone', 'address1', 'address.address1']);

function oneValue(
  field: string,
  { count, sample, lowest, highest = [] }: OpenFigures,
  records: number,
): FoundIn[] {
  const [only] = sample;
  const isOne = sample.length === 1 && (lowest === undefined || lowest[0] === highest[0]?.[0]);
  if (!DIFFERING.has(field) || !isOne || !only || count < MIN_RECORDS || count * 2 < records) return [];
  const [, , row, value] = only;
  const shown = value === undefined ? 'the same value' : JSON.stringify(value);
  return [
    {
      ...{ code: 'one-value', field, count, rows: [row] },
      message: `All of them have ${shown}.`,
      advice: 'Check that the right column is mapped, and that it is not filled with a default.',
    },
  ];
}

/** Shares above which names that repeat are findings. */
const MAX_REPEATED = 0.05;

function repeatedNames({ figures: { name }, records }: OpenLook): FoundIn[] {
  if (!name || records < MIN_RECORDS || name.sample.length < 2) return [];
  const repeated = name.sample.filter(([, times]) => times > 1);
  const inSample = name.sample.reduce((sum, [, times]) => sum + times, 0);
  const having = repeated.reduce((sum, [, times]) => sum + times, 0);
  if (having < MAX_REPEATED * inSample || having < 2) return [];
  const count = Math.round((having / inSample) * name.compared);
  const often = [...repeated].sort((a, b) => b[1] - a[1]).slice(0, MAX_ROWS);
  const shown = often.slice(0, 3).map(([, times, , value]) => `${JSON.stringify(value)} (${grouped(times)})`);
  const about = isWhole(name) ? '' : 'About ';
  const among = name.compared < name.count ? ` of the first ${grouped(name.compared)}` : '';
  return [
    {
      ...{ code: 'repeated-name', field: 'name', count, rows: often.map(([, , row]) => row) },
      message: `${about}${grouped(count)} records${among} share their name with others, such as ${shown.join(', ')}.`,
      advice:
        'If they are variants of one product, group their rows. If not, map the column with the whole name.',
    },
  ];
}

function otherNames({ marks, figures: { name }, records }: OpenLook): FoundIn[] {
  if (records < MIN_RECORDS || !name || differentIn(name) === 1) return [];
  return Object.entries(marks).flatMap(([mark, [count, rows]]): FoundIn[] => {
    const [code, field] = mark.split(' ');
    if (code !== 'name-is-other' || field === undefined || count * 2 < records) return [];
    return [
      {
        ...{ code, field: 'name', count, rows },
        message: `The name is the same as ${field}.`,
        advice: 'Map the column with the name that customers should see.',
      },
    ];
  });
}

/** Fields whose data a column of a kind would be. */
const FIELD_OF_KIND: Readonly<Record<string, string>> = {
  prices: 'price.salePrice',
  stock: 'quantity.instock',
  images: 'images',
};

function isFilled(figures: OpenFigures | undefined): boolean {
  return figures !== undefined && (figures.count > 0 || figures.highest !== undefined);
}

/** Columns that are not used, and would fill a field that is empty in all records. */
function columnFindings({ look, missed = [] }: SourceFile): FoundIn[] {
  return missed.flatMap(({ kind, columns }): FoundIn[] => {
    const field = FIELD_OF_KIND[kind];
    const records = look?.records ?? 0;
    if (field === undefined || records === 0 || isFilled(look?.figures[field])) return [];
    const named = columns.slice(0, 3).map((name) => `"${name}"`);
    return [
      {
        ...{ code: 'missed-column', field, count: records, rows: [] },
        message: `No ${kind} will be imported, and ${named.join(', ')} of the file ${named.length === 1 ? 'is' : 'are'} not used.`,
        advice: 'Map this column if it has them.',
      },
    ];
  });
}

/** Warnings about records, such as cells that a rule left out or a check that only warns. */
function warningFindings({ warnings = [] }: SourceFile): FoundIn[] {
  return warnings.map(({ message, count, records }) => ({
    ...{ code: 'warning', count, rows: records.slice(0, MAX_ROWS).map(({ row }) => row) },
    message,
    advice: 'Check these records in the store, or correct their rows.',
  }));
}
