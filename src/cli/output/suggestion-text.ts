import {
  commandAgain,
  cutText,
  fileCommand,
  freeMappingName,
  pathWord,
  shownWord,
} from '../../model/index.ts';
import type { AskPerson, SeenCell, SuggestedMapping } from '../../pipeline/suggest/index.ts';

/** Lines for a person about a suggestion: uncertain and missing fields, and the next command. */
export function suggestionLines(
  { resource, preset, draft, missing, records, valid, skipped, hasForeignIds }: SuggestedMapping,
  { file, out }: { readonly file: string; readonly out: string | undefined },
): string[] {
  const unsure = draft.fields.filter(({ doubt }) => doubt !== undefined);
  const isSaved = out !== undefined && out !== '-';
  const mapping = isSaved ? out : freeMappingName(resource.name);
  return [
    ...(preset === undefined ? [] : [`The mapping ${preset} reads this file without a suggestion.`]),
    `${draft.fields.length} fields of ${resource.name}; ${valid} of ${records} records of the sample are valid.`,
    ...missing.flatMap((field) => missingLines(field, resource, draft.leftOut)),
    ...skipped,
    ...lostLines(draft, missing),
    ...unsure.map(
      ({ field, columns, score, doubt }) =>
        `Check ${field}${columns.length === 0 ? '' : ` from ${columns.map(shownWord).join(', ')}`} (${Math.round(score * 100)} %): ${doubt}.`,
    ),
    ...(hasForeignIds
      ? ['The column _id has identifiers of another system: --mode create ignores them.']
      : []),
    ...(isSaved ? [] : [saving(mapping)]),
    `${missing.length > 0 ? 'Once that is done' : file === '-' ? 'Next, with the same input' : 'Next'}: ${fileCommand(
      'validate',
      [resource.name, file],
      { mapping: pathWord(mapping), mode: hasForeignIds ? 'create' : undefined },
    )}`,
  ];
}

/** Fields that nobody fills, though a column may be meant for them. */
function lostLines({ fields, leftOut }: SuggestedMapping['draft'], missing: readonly string[]): string[] {
  const has = new Set([...fields.map(({ field }) => field), ...missing]);
  const lost = new Map(
    leftOut.flatMap((each) => (each.field === undefined || has.has(each.field) ? [] : [[each.field, each]])),
  );
  return [...lost].map(
    ([field, { column, why }]) =>
      `No ${field} will be imported: ${shownWord(column)} is left out, since ${why}.`,
  );
}

/** Lines about a field that each record must have, with the column that may be meant for it. */
function missingLines(
  field: string,
  resource: SuggestedMapping['resource'],
  leftOut: SuggestedMapping['draft']['leftOut'],
): string[] {
  if (resource.key?.includes(field))
    return [
      `No column was found for ${field}, which identifies a record. Add a column with a code for each record, and name it in the mapping.`,
    ];
  const offered = leftOut.find((each) => each.field === field && each.score !== undefined);
  if (offered === undefined)
    return [
      `No column was found for ${field}, which each record must have. Add a rule for it to the mapping, or give all records the same value with --set.`,
    ];
  const { column, score = 0, sample } = offered;
  const again = commandAgain({ ask: true, out: freeMappingName(resource.name) });
  return [
    `No column is surely ${field}, which each record must have. The likeliest is ${shownWord(column)} (${Math.round(score * 100)} %), such as ${shownWord(sample)}.`,
    again === undefined
      ? `If it is, name it in the mapping: ${field}: ${column}.`
      : `If it is, answer yes: ${again}`,
  ];
}

function saving(mapping: string): string {
  const again = commandAgain({ out: mapping });
  return again === undefined ? `Save it as ${mapping}.` : `To save it: ${again}`;
}

type AnyQuestion = Parameters<AskPerson>[0];

/** A question about something uncertain, with the rows that show why it is asked. */
export function questionText(question: AnyQuestion): string {
  switch (question.kind) {
    case 'skip':
      return skipQuestion(question.skip);
    case 'group': {
      const { column, cell, rows, records, joined } = question;
      return `${rowsNamed(rows)} belong together by ${quoted(cell)} in ${shownWord(column)}; ${joined} of ${records} records have several rows like that. Are such rows one record?`;
    }
    case 'number': {
      const { column, row, cell, value } = question;
      return `${shownWord(column)} has ${quoted(cell)} in row ${row}, which can be read in two ways. Is it ${value}?`;
    }
    case 'empty': {
      const { cells, rows } = question.words;
      return `${shownWord(question.field.columns.join(', '))} has ${cells.map(quoted).join(', ')} in ${rowsNamed(rows).toLowerCase()}, which is no number. Leave ${question.field.field} out there? Otherwise these records are invalid.`;
    }
    case 'keep': {
      const { field, columns, doubt } = question.field;
      return `Use ${columns.map(shownWord).join(', ')} for ${field}? (${doubt})${seenText(question.seen)}`;
    }
    case 'add':
      return `Use ${shownWord(question.leftOut.column)} for ${question.leftOut.field}?${seenText(question.seen)}`;
  }
}

function skipQuestion({ rows, why, lacks = [] }: Extract<AnyQuestion, { kind: 'skip' }>['skip']): string {
  const isOne = rows.length === 1;
  const reason = why.replace(/^it /, isOne ? '' : 'each ');
  const named = rowsNamed(rows);
  const says =
    lacks.length === 0
      ? `${named} ${reason}`
      : `Nearly all rows have a cell in ${lacks.map(shownWord).join(' and ')}. ${named} ${isOne ? 'does' : 'do'} not, and ${reason}`;
  return `${says}. Leave ${isOne ? 'it' : 'them'} out?`;
}

/** `Row 62`, `Rows 2, 3 and 7 more` */
function rowsNamed(rows: readonly number[]): string {
  if (rows.length === 1) return `Row ${rows[0]}`;
  const more = rows.length > MOST_ROWS ? ` and ${rows.length - MOST_ROWS} more` : '';
  return `Rows ${rows.slice(0, MOST_ROWS).join(', ')}${more}`;
}

const MOST_ROWS = 3;

function quoted(cell: string): string {
  return JSON.stringify(cutText(cell.replaceAll(/\s+/g, ' '), MOST_CELL_LENGTH));
}

const MOST_CELL_LENGTH = 60;

/** ` Row 2 has "Tea", row 3 "Coffee".` */
function seenText(seen: readonly SeenCell[]): string {
  const [first, ...others] = seen.map(({ row, cell }) => ({ row, text: quoted(cell) }));
  if (!first) return '';
  const rest = others.map(({ row, text }) => `, row ${row} ${text}`).join('');
  return ` Row ${first.row} has ${first.text}${rest}.`;
}
