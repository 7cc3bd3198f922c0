import type { SourceFile } from '../../ledger/index.ts';
import {
  type FileFigures,
  type FindingCode,
  grouped,
  type LookFinding,
  type OpenFigures,
  type OpenLook,
} from '../../model/index.ts';
import { currenciesIn } from './currencies.ts';
import { dateNumbers, outliers } from './far-numbers.ts';
import { differentIn, isWhole, shownFigures } from './figures.ts';
import { type FoundIn, MAX_ROWS, MIN_RECORDS } from './found.ts';
import { jumpsIn } from './jumps.ts';

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
      ...dateNumbers(field, open, look),
      ...oneValue(field, open, look.close),
    ]),
    ...repeatedNames(look),
    ...otherNames(look),
    ...noPictures(look),
    ...currenciesIn(look.marks),
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
  'negative-stock': {
    field: 'quantity.instock',
    message: 'The stock is below 0.',
    advice:
      'Check whether the shop sold more than it had. A store may take it for sold out, or refuse orders.',
  },
  'variant-price': {
    field: 'variants',
    message: 'One variant costs at least 20 times as much as each other of its product.',
    advice: 'Check the decimal sign of its price, and that the row belongs to this product.',
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

/** Fields that differ from record to record in any shop. */
const DIFFERING = new Set(['name', 'price.salePrice', 'email', 'phone', 'address1', 'address.address1']);
/** Stock that no shop has of all products: programs write it for goods that are not counted. */
const ENDLESS_STOCK = 1000;

function oneValue(
  field: string,
  { count, sample, lowest, highest = [] }: OpenFigures,
  records: number,
): FoundIn[] {
  const [only] = sample;
  const isOne = sample.length === 1 && (lowest === undefined || lowest[0] === highest[0]?.[0]);
  const isEndless = field === 'quantity.instock' && lowest !== undefined && lowest[0] >= ENDLESS_STOCK;
  const isDiffering = DIFFERING.has(field) || isEndless;
  if (!isDiffering || !isOne || !only || count < MIN_RECORDS || count * 2 < records) return [];
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

/** Share above which names that repeat are findings; two products with one name, only of a few. */
const [MAX_REPEATED, MAX_PAIR] = [0.05, 0.1];

function repeatedNames({ figures: { name }, records }: OpenLook): FoundIn[] {
  if (!name || records < MIN_RECORDS || name.sample.length < 2) return [];
  const repeated = name.sample.filter(([, times]) => times > 1);
  const inSample = name.sample.reduce((sum, [, times]) => sum + times, 0);
  const having = repeated.reduce((sum, [, times]) => sum + times, 0);
  if (having < (having > 2 ? MAX_REPEATED : MAX_PAIR) * inSample || having < 2) return [];
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
        message: field === 'number' ? 'The name is a number.' : `The name is the same as ${field}.`,
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
