import {
  cutText,
  generalField,
  HIDDEN,
  INCOMPLETE,
  isSecretName,
  type KeptRow,
  type RecordResult,
  SURPLUS_COLUMN,
  surplusColumnOf,
  surplusIn,
} from '../../model/index.ts';
import { marksOf, type RowMarks } from '../marks.ts';

/** A record that did not arrive, with its rows. Long cells are cut. */
export interface ReturnedRecord {
  readonly row: number;
  readonly key: string;
  readonly outcome: string;
  readonly code: string;
  readonly message: string;
  /** Those with wrong cells, and others as far as there is space, in their order. */
  readonly rows: readonly ReturnedRow[];
  /** Number of all rows of the record. */
  readonly rowCount: number;
}

export interface ReturnedRow {
  readonly row: number;
  /** Cells that are not empty. */
  readonly cells: readonly ReturnedCell[];
}

export interface ReturnedCell {
  readonly column: string;
  readonly text: string;
  readonly isWrong: boolean;
}

/** Records that the page shows, collected while the reports are written. */
export interface ReturnedRecords {
  add(result: RecordResult): void;
  /** The first records that did not arrive, without those in doubt. */
  readonly wrong: readonly ReturnedRecord[];
  /** The first records in doubt. */
  readonly inDoubt: readonly ReturnedRecord[];
  /** The first records with a problem. */
  examplesOf(problem: {
    readonly outcome: string;
    readonly code: string;
    readonly field: string;
  }): readonly ReturnedRecord[];
}

/** Records shown, and the limits that keep the page below 2 MB. */
const MOST_RECORDS = 1000;
const MOST_ROWS = 10;
const MOST_IN_CELL = 120;
const MOST_IN_MESSAGE = 400;
const MOST_BYTES = 1_200_000;
const MOST_EXAMPLES = 3;
const MOST_KINDS = 40;

/** Collects the first records that did not arrive. `header`: column names of the source. */
export function collectReturned(header: readonly string[]): ReturnedRecords {
  const wrong: ReturnedRecord[] = [];
  const inDoubt: ReturnedRecord[] = [];
  const examples = new Map<string, ReturnedRecord[]>();
  let bytes = 0;

  /** Returns the lists that still want this record. */
  function listsFor({ outcome }: RecordResult): ReturnedRecord[][] {
    const list = outcome.outcome === 'in-doubt' ? inDoubt : wrong;
    const hasSpace = list.length < MOST_RECORDS && bytes < MOST_BYTES;
    const kinds = outcome.kinds ?? [{ code: outcome.code ?? '', field: outcome.field }];
    const wanting = kinds.flatMap(({ code, field = '' }) => {
      const kind = kindOf({ outcome: outcome.outcome, code, field });
      const known = examples.get(kind) ?? [];
      if (known.length >= MOST_EXAMPLES || (known.length === 0 && examples.size >= MOST_KINDS)) return [];
      examples.set(kind, known);
      return [known];
    });
    return hasSpace ? [list, ...wanting] : wanting;
  }

  return {
    wrong,
    inDoubt,
    add(result) {
      if (!INCOMPLETE.has(result.outcome.outcome)) return;
      const lists = listsFor(result);
      if (lists.length === 0) return;
      const record = returnedRecord(result, header);
      bytes += sizeOf(record);
      for (const list of lists) list.push(record);
    },
    examplesOf: (problem) => examples.get(kindOf(problem)) ?? [],
  };
}

function kindOf({ outcome, code, field }: { outcome: string; code: string; field: string }): string {
  return [outcome, code, generalField(field)].join('\n');
}

/** Bytes of a record in the page. Wrong cells are there twice. */
function sizeOf({ message, key, rows }: ReturnedRecord): number {
  let bytes = bytesOf(message) + bytesOf(key);
  for (const { cells } of rows)
    for (const { column, text, isWrong } of cells)
      bytes += (isWrong ? 2 : 1) * (bytesOf(column) + bytesOf(text) + MARKUP_OF_CELL);
  return bytes;
}

/** Bytes of markup around a cell. */
const MARKUP_OF_CELL = 35;

/** Bytes of a text as markup. An escaped character has up to six. */
function bytesOf(text: string): number {
  const escaped = text.match(/[&<>"']/g)?.length ?? 0;
  return Buffer.byteLength(text) + 5 * escaped;
}

function returnedRecord(result: RecordResult, header: readonly string[]): ReturnedRecord {
  const { row, key, outcome, rows = [] } = result;
  const marks = marksOf(result, header);
  return {
    row,
    key: cutText(key, MOST_IN_CELL),
    outcome: outcome.outcome,
    code: outcome.code ?? '',
    message: cutText(outcome.message ?? '', MOST_IN_MESSAGE),
    rows: shownRows(rows, marks).map((each) => returnedRow(each, header, marks)),
    rowCount: rows.length,
  };
}

/** Chooses the rows that are shown: a wrong cell may be in the last one of many. */
function shownRows(rows: readonly KeptRow[], marks: RowMarks | undefined): readonly KeptRow[] {
  if (rows.length <= MOST_ROWS) return rows;
  const isWrong = ({ row }: KeptRow) => marks?.has(row) === true;
  const wrong = rows.filter(isWrong);
  const others = rows.filter((each) => !isWrong(each));
  const chosen = new Set([...wrong, ...others].slice(0, MOST_ROWS));
  return rows.filter((each) => chosen.has(each));
}

function returnedRow(
  { row, cells }: KeptRow,
  header: readonly string[],
  marks: RowMarks | undefined,
): ReturnedRow {
  const wrong = new Set(marks?.get(row)?.map(({ column }) => column));
  const surplusAt = surplusColumnOf(header);
  const surplus = surplusIn(header, cells, surplusAt);
  const columns = surplus === '' || surplusAt >= 0 ? header : [...header, SURPLUS_COLUMN];
  return {
    row,
    cells: columns.flatMap((column, index): ReturnedCell[] => {
      const isSurplus = column === SURPLUS_COLUMN;
      const text = isSurplus ? surplus : (cells[index]?.trim() ?? '');
      const isWrong = wrong.has(index) || (isSurplus && text !== '');
      if (text === '' && !isWrong) return [];
      return [
        {
          column,
          // A delimiter in a password makes a part of it a surplus cell.
          text: (isSurplus ? header.some(isSecretName) : isSecretName(column))
            ? HIDDEN
            : cutText(withoutSecrets(text), MOST_IN_CELL),
          isWrong,
        },
      ];
    }),
  };
}

/** Hides the values of secret fields in JSON of objects; all of the text if such a field is an object or a list. */
function withoutSecrets(text: string): string {
  if (!/^[{[]/.test(text)) return text;
  let isWhole = false;
  const hidden = text.replace(FIELD, (field, name: string, value: string) => {
    if (!isSecretName(name)) return field;
    isWhole ||= /^[[{]/.test(value);
    return `"${name}":"${HIDDEN}"`;
  });
  return isWhole ? HIDDEN : hidden;
}

/** A name and its value, or the bracket with which it begins. */
const FIELD = /"([^"\\]{1,60})"\s*:\s*("(?:[^"\\]|\\.)*"|[[{]|[^\s,{}[\]"]+)/g;
