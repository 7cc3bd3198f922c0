import {
  cutText,
  type FieldFigures,
  type FileFigures,
  grouped,
  type LookFinding,
  type ValueInRow,
} from '../model/index.ts';

const MAX_IN_VALUE = 30;

/** Fields that some records have, each with its words, and the names of those that none has. */
export interface FigureWords {
  readonly filled: readonly { readonly field: string; readonly count: string; readonly words: string }[];
  readonly empty: readonly string[];
  /** Says in how many records fields were counted; undefined if in all. */
  readonly sampled: string | undefined;
}

/** The figures of a file in words, for the screen and for pages. */
export function figureWords({ records, fields, sampled }: FileFigures): FigureWords {
  return {
    filled: fields
      .filter(({ count }) => count > 0)
      .map((figures) => ({
        field: figures.field,
        count: `${grouped(figures.count)} of ${grouped(sampled ?? records)}`,
        words: valueWords(figures),
      })),
    empty: fields.filter(({ count }) => count === 0).map(({ field }) => field),
    sampled:
      sampled === undefined
        ? undefined
        : `Fields were counted in ${grouped(sampled)} records: the first, and a part of the others. The lowest and the highest are those of all.`,
  };
}

/** `2.5 (row 3) to 1,200 (row 41), middle 14.9 (row 12); 15 different, 4 × 10`, or `15 × PUBLISH, 5 × DRAFT`. */
function valueWords(figures: FieldFigures): string {
  const { count, different, compared = count, lowest, middle, highest, frequent = [] } = figures;
  const isOne = different === 1 && lowest?.[0] === highest?.[0];
  if (isOne) return `all ${shownValue(frequent[0]?.[0] ?? lowest?.[0])}`;
  const range =
    lowest && middle && highest ? [`${inRow(lowest)} to ${inRow(highest)}, middle ${inRow(middle)}`] : [];
  const most = frequent.map(([value, times]) => `${grouped(times)} × ${shownValue(value)}`);
  const words = [...differentWords(figures), ...most].join(', ');
  const among = compared < count && words !== '' ? [`of the first ${grouped(compared)}: ${words}`] : [words];
  return [...range, ...among].filter((each) => each !== '').join('; ');
}

/** Says how many values are different, unless all of them are listed as frequent. */
function differentWords({
  count,
  compared = count,
  different,
  about,
  frequent = [],
}: FieldFigures): string[] {
  if (different === undefined || different <= frequent.length) return [];
  if (different === compared && !about) return ['all different'];
  return [`${about ? 'about ' : ''}${grouped(different)} different`];
}

function shownValue(value: number | string | undefined): string {
  if (value === undefined) return 'the same';
  return typeof value === 'number' ? shownNumber(value) : cutText(value, MAX_IN_VALUE);
}

/** `1,200` or `14.9`. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? grouped(value) : String(value);
}

function inRow([value, row]: ValueInRow): string {
  return `${shownValue(value)} (row ${grouped(row)})`;
}

/** `rows 3, 17 and 41`, with the number of others. */
export function findingRows({ rows, count }: LookFinding): string {
  if (rows.length === 0) return '';
  const more = count - rows.length;
  const listed = rows.join(', ');
  return `${rows.length === 1 ? 'row' : 'rows'} ${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

/** The findings as they are listed: the warnings, which are printed in full elsewhere, are one. */
export function listedFindings(findings: readonly LookFinding[] = []): readonly LookFinding[] {
  const [first, ...others] = findings.filter(({ code }) => code === 'warning');
  const rest = findings.filter(({ code }) => code !== 'warning');
  if (!first) return rest;
  const all = [first, ...others];
  return [
    ...rest,
    {
      ...first,
      count: all.reduce((sum, { count }) => sum + count, 0),
      rows: all.flatMap(({ rows }) => rows).slice(0, MAX_ROWS),
      message: all.length === 1 ? 'There is a warning.' : `There are ${all.length} warnings.`,
    },
  ];
}

const MAX_ROWS = 5;
