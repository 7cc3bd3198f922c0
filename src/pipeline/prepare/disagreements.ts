import type { Disagreement, FileBinding } from '../../map/index.ts';
import { type Issue, originOf, placeWords, type Row } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { requiredFields } from '../../validate/index.ts';

/** Finds rows of one record that contradict each other, so that no value is lost silently. */
export interface Disagreements {
  /** Adds an issue for each row that looks like a record of its own. Warns of other lost values. */
  note(checked: CheckedRecord, binding: FileBinding): CheckedRecord;
}

export interface DisagreementsOptions {
  readonly resource: Resource;
  /** The columns by which rows are grouped. */
  readonly groupBy: readonly string[] | undefined;
  /** Messages of an earlier execution of the run. They are used again, so that their counts continue. */
  readonly earlierMessages: readonly string[];
  /** Called with a sentence for each column, the same for all records. */
  readonly onWarning: (checked: CheckedRecord, message: string) => void;
}

export function createDisagreements({
  resource,
  groupBy = [],
  earlierMessages,
  onWarning,
}: DisagreementsOptions): Disagreements {
  const names = new Set(requiredFields(resource, { partial: false, suppliedLater: [] }));
  const messages = new Map<string, string>();
  const groupColumns = groupBy.map((name) => `"${name}"`).join(' or ');

  /** A row that continues the one above has no name of its own. */
  const isOwnRecord = ({ field, lost: { row } }: Disagreement, { continuesAbove }: FileBinding) =>
    continuesAbove?.(row) === true && names.has(field);

  return {
    note(checked, binding) {
      const { rows } = checked.record;
      const found = rows.length > 1 ? binding.findDisagreements?.(rows) : undefined;
      if (found === undefined || found.length === 0) return checked;
      // A refused record is sent back whole, so no value of it is lost.
      const refused = [...checked.issues, ...(checked.reimport?.issues ?? [])];
      if (refused.some(({ code }) => code === SPLIT)) return checked;
      const issues = found.filter((each) => isOwnRecord(each, binding));
      if (issues.length > 0)
        return {
          ...checked,
          issues: [...checked.issues, ...issues.map((each) => ownRecord(each, groupColumns))],
        };
      if (refused.length > 0) return checked;
      for (const each of found) onWarning(checked, messageFor(each));
      return checked;
    },
  };

  /** Shows the first rows that differ, also for later records: equal messages are counted together. */
  function messageFor(each: Disagreement): string {
    const begins = lostIn(each);
    const message =
      messages.get(begins) ??
      earlierMessages.find((before) => before.startsWith(begins)) ??
      lostValue(each, groupColumns);
    messages.set(begins, message);
    return message;
  }
}

/** The issue of a record whose rows are apart and contradict each other: they may be two records. */
export function conflictOf(rows: readonly Row[], binding: FileBinding, key: string): Issue[] {
  const [first] = binding.findDisagreements?.(rows) ?? [];
  if (!first) return [];
  const { column, field, taken, lost } = first;
  return [
    {
      code: SPLIT,
      message:
        `"${key}"${APART}, and has ${quoted(lost.text)} where ${wordsFor(taken.row, lost.row)} ` +
        `has ${quoted(taken.text)}: give each record a key of its own, or make the two cells the same`,
      field,
      column,
      origin: originOf(lost.row),
    },
  ];
}

const SPLIT = 'group-split';
const APART = ' is here again, apart from its other rows';

/** True if a record was refused by `conflictOf`. In errors.csv its rows are together, so only the message shows it. */
export function wasConflict(message: string): boolean {
  return message.includes(APART);
}

function ownRecord({ column, field, taken, lost }: Disagreement, groupColumns: string): Issue {
  return {
    code: 'group-conflict',
    message:
      `this row has nothing in ${groupColumns}, so it continues ${wordsFor(taken.row, lost.row)}, but has ${quoted(lost.text)} ` +
      `where that has ${quoted(taken.text)}: fill ${groupColumns} if it is a record of its own, else empty this cell`,
    field,
    column,
    origin: originOf(lost.row),
  };
}

function lostIn({ column, field }: Disagreement): string {
  return `"${column}": rows of one record differ, and the first is used for ${field}, `;
}

function lostValue(each: Disagreement, groupColumns: string): string {
  const { taken, lost } = each;
  return (
    `${lostIn(each)}such as ${quoted(taken.text)} in ${placeOf(taken.row)} and ${quoted(lost.text)} in ` +
    `${placeOf(lost.row)}. The other is lost. If these are several records, give each ` +
    `a ${groupColumns} of its own; if the first is meant, write "across: first" into the mapping.`
  );
}

function placeOf({ row, table }: Row): string {
  return placeWords({ row, file: table.file });
}

/** Names the file too if it is another one. */
function wordsFor({ row, table }: Row, from: Row): string {
  return placeWords({ row, file: table.file === from.table.file ? undefined : table.file });
}

const MOST_SHOWN = 60;

function quoted(text: string): string {
  const [line = ''] = text.split(/[\r\n]/);
  return `"${line.length > MOST_SHOWN || line !== text ? `${line.slice(0, MOST_SHOWN)}…` : line}"`;
}
