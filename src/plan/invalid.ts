import {
  columnLetters,
  cutText,
  generalField,
  hideQuotes,
  hideValues,
  type Issue,
  type IssueKind,
  isSecretPath,
  issueSentence,
  type JsonObject,
  type Outcome,
  SENTENCE_END,
  type SourceRecord,
} from '../model/index.ts';
import { skippedOutcome } from './decide.ts';

/** Maximum length of a message. The first sentence is always in it. */
const MOST_CHARACTERS = 1000;
/** Maximum length of an example. The ledger keeps one for each kind. */
const MOST_IN_EXAMPLE = 300;
/** Maximum number of kinds that a message names for the issues that it leaves out. */
const MOST_NAMED = 5;
/** Maximum number of kinds that are counted in one record: a file with made-up field names must not fill the memory. */
const MOST_KINDS = 100;
/** Maximum number of cells that are kept besides those in the message. */
const MOST_CELLS = 10_000;

/** The outcome of a record with issues: the code and field of the first, and a message of readable length. */
export function invalid(issues: readonly Issue[], namesFile = false): Outcome {
  const [first, second] = issues;
  if (first && !second)
    return {
      field: first.field,
      ...skippedOutcome('invalid', { code: first.code, message: issueSentence(first, namesFile) }),
    };
  const said = new Set<string>();
  const all = new Map<string, Counted>();
  const left = new Map<string, Counted>();
  let length = 0;
  let more = 0;
  for (const issue of issues) {
    const text = issueSentence(issue, namesFile);
    const counted = count(all, issue, text);
    if (said.has(text)) continue;
    if (more > 0 || (said.size > 0 && length + text.length > MOST_CHARACTERS)) {
      count(left, issue, text);
      if (counted && more < MOST_CELLS) noteCell(counted, issue);
      more++;
    } else {
      said.add(text);
      length += text.length;
    }
  }
  const message = [...said, ...moreWords(more, [...left.values()])].join(SENTENCE_END);
  return {
    field: first?.field,
    ...skippedOutcome('invalid', { code: first?.code, message }),
    kinds: [...all.values()],
  };
}

/** Hides values of `secret` fields in the messages of issues, which are shown on screens and in logs. */
export function withoutSecrets(
  issues: readonly Issue[],
  payload: JsonObject,
  secret: readonly string[] | undefined,
): readonly Issue[] {
  if (!secret) return issues;
  return issues.map((issue) => {
    const isAbout = issue.field !== undefined && isSecretPath(issue.field, secret);
    const { unquoted = issue.message } = issue;
    const message = isAbout ? hideQuotes(issue.message) : hideValues(unquoted, payload, secret);
    return { ...issue, message };
  });
}

type Counted = { -readonly [Name in keyof IssueKind]: IssueKind[Name] } & {
  cells?: [row: number, column: string][];
};

/** Counts an issue. Returns its kind; undefined if there are too many kinds. */
function count(kinds: Map<string, Counted>, { code, field }: Issue, example: string): Counted | undefined {
  const general = field === undefined ? undefined : generalField(field);
  const name = `${code}\n${general ?? ''}`;
  const known = kinds.get(name);
  if (known) {
    known.count++;
    if (known.field !== field) known.field = general;
    return known;
  }
  if (kinds.size >= MOST_KINDS) return undefined;
  const kind: Counted = { code, field, count: 1, example: cutText(example, MOST_IN_EXAMPLE) };
  kinds.set(name, kind);
  return kind;
}

function noteCell(kind: Counted, { origin, column }: Issue): void {
  if (origin === undefined || column === undefined) return;
  kind.cells ??= [];
  kind.cells.push([origin.row, column]);
}

/** `and 37 more: 30 × not-a-number (price.salePrice), 7 × required (name)` */
function moreWords(total: number, kinds: readonly IssueKind[]): string[] {
  if (total === 0) return [];
  const named = kinds
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_NAMED)
    .map((kind) => `${kind.count} × ${kind.code}${kind.field === undefined ? '' : ` (${kind.field})`}`);
  return [`and ${total} more: ${named.join(', ')}${kinds.length > MOST_NAMED ? ', …' : ''}`];
}

/** Adds the cell to issues of a workbook that name a column. */
export function withCells(issues: readonly Issue[], { rows }: SourceRecord): readonly Issue[] {
  if (!rows.some(({ table }) => table.sheet !== undefined)) return issues;
  return issues.map((issue) => {
    const { column, origin } = issue;
    const table = rows.find(({ row, table }) => row === origin?.row && table.file === origin.file)?.table;
    const index = column === undefined ? -1 : (table?.header.indexOf(column) ?? -1);
    if (table?.sheet === undefined || origin === undefined || index < 0) return issue;
    return { ...issue, cell: `${columnLetters(index)}${origin.row}` };
  });
}
