import { withMinorUnits } from './doubts/minor-units.ts';
import type { MappingDraft } from './draft.ts';
import { byRepetition, notUsedOf, ofOtherTable } from './left-out/left-out.ts';
import { makeDraft } from './make-draft.ts';
import { createDictionary, type Dictionary } from './names/dictionary.ts';
import type { ObjectList } from './objects.ts';
import { spreadOrders, withItems } from './order-items.ts';
import { currenciesOfAmounts } from './profile/currencies.ts';
import type { SampleColumn } from './profile/profile.ts';
import {
  chosenCurrency,
  chosenNumberFormat,
  isUngrouped,
  type StructureAnswers,
  type StructureQuestion,
  skipId,
  structureQuestions,
} from './questions.ts';
import { type ReadColumn, readFamilies, readSampleColumns } from './sample.ts';
import { findLostOrders, groupOrders } from './structure/group-orders.ts';
import { type GroupingGuess, recordsOf } from './structure/grouping.ts';
import { guessGrouping } from './structure/guess-grouping.ts';
import { readLineNames } from './structure/line-names.ts';
import { readOptionPairs } from './structure/option-pairs.ts';
import { readSaleNumbers } from './structure/sale-numbers.ts';
import { findStrayRows } from './structure/stray-rows.ts';
import { type StrayRows, strayRowsOf } from './structure/stray-skip.ts';
import { findTranslations } from './structure/translations.ts';
import { LANGUAGES } from './words/index.ts';

/** A draft, and the rows of the sample that make each record. */
export interface Suggestion {
  readonly draft: MappingDraft;
  /** Indexes of rows. */
  readonly records: readonly (readonly number[])[];
  /** Choices about the rows and numbers of the file. */
  readonly questions: readonly StructureQuestion[];
}

/** The columns of a file, or the fields of its JSON objects, with some of their cells. */
export interface SampledFile {
  readonly columns: readonly SampleColumn[];
  /** Lists of objects inside the objects; undefined for a table. */
  readonly lists?: readonly ObjectList[];
  /** Columns of another table beside this one. */
  readonly beside?: readonly SampleColumn[];
  /** Row numbers in the file. Default: those below a header, or those of the objects. */
  readonly numbers?: readonly number[];
  /** True if these are all rows of the file. */
  readonly isWhole?: boolean;
}

// Made once per process: a suggestion for several resources uses it for each of them.
let shared: Dictionary | undefined;

function dictionaryOfAll(): Dictionary {
  shared ??= createDictionary(LANGUAGES);
  return shared;
}

/** Suggests a mapping of a resource from some of a file's rows. `answers`: to questions of a suggestion before. */
export function draftMapping(
  resource: string,
  { columns: own, beside = [], lists, numbers, isWhole = false }: SampledFile,
  dictionary: Dictionary = dictionaryOfAll(),
  answers: StructureAnswers = new Map(),
): Suggestion {
  // Names of JSON fields are exact, and one object has no name twice.
  const { unique, repeated } = lists ? { unique: own, repeated: [] } : byRepetition(own, beside);
  const count = own[0]?.cells.length ?? 0;
  const stray = withoutDeclined(
    lists
      ? strayRowsOf(findTranslations(unique, dictionary, [...Array(count).keys()]))
      : findStrayRows(unique, dictionary, { numbers, isWhole }),
    answers,
  );
  // An import leaves empty rows out too.
  const isEmpty = (row: number) => unique.every(({ cells }) => (cells[row] ?? '').trim() === '');
  const all = Array.from({ length: count }, (_, row) => row).filter(
    (row) => !stray.rows.has(row) && !isEmpty(row),
  );
  const chosen = { numberFormat: chosenNumberFormat(answers), currency: chosenCurrency(answers) };
  const readRows = (rows: readonly number[]): readonly ReadColumn[] => {
    const own = rows.length === count ? unique : unique.map(onlyRows(rows));
    const named = readSampleColumns(own, dictionary, chosen);
    if (resource === 'orders') return readSaleNumbers(named);
    return resource === 'products' ? readOptionPairs(named) : named;
  };
  const groupingOf = (columns: readonly ReadColumn[]) =>
    isUngrouped(answers) ? ROWS : groupingFor(resource, columns);
  const first = readRows(all);
  const found = resource === 'orders' ? findLostOrders(groupingOf(first), first) : undefined;
  const lost = found && { ...found, rows: found.rows.map((row) => all[row] as number) };
  const isLost = lost !== undefined && answers.get(skipId(lost)) !== false;
  const kept = isLost ? all.filter((row) => !lost.rows.includes(row)) : all;
  const read = isLost ? readRows(kept) : first;
  const grouping = groupingOf(read);
  const records = recordsOf(grouping, kept.length);
  const sampled = resource === 'orders' ? readLineNames(read, records, dictionary) : read;
  const spread =
    resource === 'orders'
      ? spreadOrders({ columns: sampled, lists: lists ?? [], objects: kept, dictionary })
      : undefined;
  const made = makeDraft(resource, {
    columns: spread?.columns ?? sampled,
    families: readOptionPairs(readFamilies(sampled, dictionary)),
    grouping,
    records: spread?.records ?? records,
    lists: lists ?? [],
    canCarry: canCarry(lists !== undefined, stray),
    ...{ dictionary, answers },
  });
  const areObjects = lists !== undefined;
  const draft = withMinorUnits(spread ? withItems(made, spread.path) : made, {
    columns: sampled,
    lists: lists ?? [],
    areObjects,
  });
  // The row below the header; objects have none.
  const firstRow = areObjects ? 1 : 2;
  const skips = [...stray.skips, ...(isLost ? [lost] : [])].map((skip) => ({
    ...skip,
    rows: skip.rows.map((row) => numbers?.[row] ?? row + firstRow),
  }));
  const numberOf = (row: number) => numbers?.[kept[row] as number] ?? (kept[row] as number) + firstRow;
  const whole = {
    ...draft,
    ...(skips.length === 0 ? {} : { skips }),
    leftOut: [...draft.leftOut, ...repeated, ...beside.map(ofOtherTable)],
  };
  const { leftOut, choices = [] } = draft;
  const amounts = sampled.flatMap(({ name, cells }) =>
    leftOut.some(({ column, field, rule }) => column === name && field !== undefined && rule === undefined)
      ? (currenciesOfAmounts(name, cells) ?? [])
      : [],
  );
  const currencies = draft.currencies ?? amounts[0];
  return {
    draft: { ...whole, notUsed: notUsedOf(sampled, lists ?? [], whole) },
    records: records.map((rows) => rows.map((row) => kept[row] as number)),
    questions: structureQuestions(
      { skips, grouping, columns: sampled, records, leftOut, choices, currencies, numberOf },
      answers,
    ),
  };
}

/** Rows that a person said are records stay. */
function withoutDeclined({ skips }: StrayRows, answers: StructureAnswers): StrayRows {
  return strayRowsOf(skips.filter((skip) => answers.get(skipId(skip)) !== false));
}

function onlyRows(rows: readonly number[]): (column: SampleColumn) => SampleColumn {
  return ({ name, cells }) => ({ name, cells: rows.map((row) => cells[row] ?? '') });
}

/** Products have variants, and orders lines; each person and each discount is one row. */
function groupingFor(resource: string, sampled: readonly ReadColumn[]): GroupingGuess {
  if (resource === 'products') return guessGrouping(sampled);
  return resource === 'orders' ? groupOrders(sampled) : ROWS;
}

const ROWS: GroupingGuess = { kind: 'rows' };

/** Objects have no rows above them, and a condition that leaves rows out needs the cell as it is. */
function canCarry(areObjects: boolean, { skips }: StrayRows): (column: string) => boolean {
  return (column) => !areObjects && !skips.some(({ when }) => when?.[column] === '');
}
