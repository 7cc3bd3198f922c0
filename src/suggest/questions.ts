import type { Choice, LeftOut } from './draft.ts';
import type { SeveralCurrencies } from './profile/currencies.ts';
import { twoReadings } from './profile/formats.ts';
import type { SampleColumn } from './profile/profile.ts';
import type { GroupingGuess } from './structure/grouping.ts';
import type { StraySkip } from './structure/stray-skip.ts';

/** A choice about the rows of a file or about all of its numbers. It is made before those about fields, which depend on it. */
export type StructureQuestion = { readonly id: string } & (
  | { readonly kind: 'skip'; readonly skip: StraySkip }
  | {
      readonly kind: 'group';
      readonly column: string;
      /** The text that these rows have in the column, or that names the row above them. */
      readonly cell: string;
      /** Numbers of the rows of one record. */
      readonly rows: readonly number[];
      /** Records of the sample, and how many of them have several rows. */
      readonly records: number;
      readonly joined: number;
    }
  | {
      readonly kind: 'choice';
      readonly column: string;
      readonly row: number;
      readonly cell: string;
      readonly asks: string;
    }
  | {
      /** One of several currencies, which may be the store's. */
      readonly kind: 'currency';
      readonly column: string;
      readonly row: number;
      readonly cell: string;
      readonly code: string;
    }
  | {
      readonly kind: 'number';
      readonly column: string;
      readonly row: number;
      readonly cell: string;
      readonly value: number;
    }
);

/** Answers to structure questions: yes or no, by their ids. */
export type StructureAnswers = ReadonlyMap<string, boolean>;

const GROUP = 'group';
const NUMBER = 'number ';
const CURRENCY = 'currency ';

export function skipId({ when }: Pick<StraySkip, 'when'>): string {
  return `skip ${when === undefined ? 'below' : JSON.stringify(when)}`;
}

/** True if a person said that rows are records of their own. */
export function isUngrouped(answers: StructureAnswers): boolean {
  return answers.get(GROUP) === false;
}

/** The format of numbers that a person chose. */
export function chosenNumberFormat(answers: StructureAnswers): string | undefined {
  return chosen(answers, NUMBER);
}

/** The currency of the store, as a person said: a code, or the sign of the cells. */
export function chosenCurrency(answers: StructureAnswers): string | undefined {
  return chosen(answers, CURRENCY);
}

function chosen(answers: StructureAnswers, prefix: string): string | undefined {
  for (const [id, isYes] of answers) if (isYes && id.startsWith(prefix)) return id.slice(prefix.length);
  return undefined;
}

export interface QuestionedSample {
  readonly skips: readonly StraySkip[];
  readonly grouping: GroupingGuess;
  /** Columns with their cells, without the rows that are left out. */
  readonly columns: readonly SampleColumn[];
  /** Indexes of the rows of each record. */
  readonly records: readonly (readonly number[])[];
  readonly leftOut: readonly LeftOut[];
  readonly choices: readonly Choice[];
  /** Several currencies without a usual one; undefined if the file has one. */
  readonly currencies?: SeveralCurrencies | undefined;
  /** The number of a row in the file. */
  readonly numberOf: (row: number) => number;
}

/** The questions about the structure that are not answered yet, each with rows that speak for it. */
export function structureQuestions(sample: QuestionedSample, answers: StructureAnswers): StructureQuestion[] {
  const { skips } = sample;
  return [
    ...skips
      .filter(({ when, isCut }) => when !== undefined || isCut)
      .map((skip): StructureQuestion => ({ kind: 'skip', id: skipId(skip), skip })),
    ...groupQuestion(sample),
    ...numberQuestions(sample),
    ...(chosenCurrency(answers) === undefined ? currencyQuestions(sample) : []),
    ...sample.choices.map(
      ({ row, ...choice }): StructureQuestion => ({ kind: 'choice', ...choice, row: sample.numberOf(row) }),
    ),
  ].filter(({ id }) => !answers.has(id));
}

function groupQuestion({ grouping, columns, records, numberOf }: QuestionedSample): StructureQuestion[] {
  const joined = records.filter((rows) => rows.length > 1);
  const [first] = joined;
  if (grouping.kind === 'rows' || !first) return [];
  const name = linkColumn(grouping);
  const { cells = [] } = columns.find((column) => column.name === name) ?? {};
  // The row of a product names no parent; those below it do.
  const cell = first.map((row) => (cells[row] ?? '').trim()).find((text) => text !== '') ?? '';
  const rows = first.map(numberOf);
  return [
    { kind: 'group', id: GROUP, column: name, cell, rows, records: records.length, joined: joined.length },
  ];
}

/** The column that ties rows together. */
function linkColumn(grouping: Exclude<GroupingGuess, { kind: 'rows' }>): string {
  if (grouping.kind === 'parts') return grouping.parts.column.name;
  return grouping.kind === 'key' ? grouping.key.name : grouping.parent.name;
}

/** One for each currency. A person who confirms none leaves the amounts out. */
function currencyQuestions({ currencies, numberOf }: QuestionedSample): StructureQuestion[] {
  if (currencies === undefined) return [];
  const { column, cells, codes } = currencies;
  return codes.slice(0, MAX_CURRENCIES).map(([code, cell]): StructureQuestion => {
    const row = numberOf(cells.findIndex((each) => each.trim() === cell));
    return { kind: 'currency', id: `${CURRENCY}${code}`, column, row, cell, code };
  });
}

/** Currencies that are asked about, the most frequent first. */
const MAX_CURRENCIES = 4;

/** One for each way to read the first cell that has two. A person who confirms neither leaves such columns out. */
function numberQuestions({ leftOut, columns, numberOf }: QuestionedSample): StructureQuestion[] {
  for (const { column, field, rule } of leftOut) {
    if (field === undefined || rule !== undefined) continue;
    const { cells = [] } = columns.find(({ name }) => name === column) ?? {};
    const two = twoReadings(cells.filter((cell) => cell.trim() !== ''));
    if (!two) continue;
    const { cell } = two;
    const row = numberOf(cells.indexOf(cell));
    return two.readings.map(
      ({ format, value }): StructureQuestion => ({
        ...{ kind: 'number', id: `${NUMBER}${format}` },
        ...{ column, row, cell, value },
      }),
    );
  }
  return [];
}
