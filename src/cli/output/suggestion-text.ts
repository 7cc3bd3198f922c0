import {
  commandAgain,
  fileCommand,
  freeMappingName,
  listedNames,
  pathWord,
  shownWord,
} from '../../model/index.ts';
import type { SuggestedMapping } from '../../pipeline/suggest/index.ts';

/** Lines for a person about a suggestion: uncertain and missing fields, and the next command. */
export function suggestionLines(
  { resource, preset, draft, missing, records, valid, skipped, questions, hasForeignIds }: SuggestedMapping,
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
    // A file that is written is not written again.
    ...openLines(questions, isSaved ? freeMappingName(resource.name) : undefined),
    ...(isSaved ? [] : [saving(mapping)]),
    `${missing.length > 0 ? 'Once that is done' : file === '-' ? 'Next, with the same input' : 'Next'}: ${fileCommand(
      'validate',
      [resource.name, file],
      { mapping: pathWord(mapping), mode: hasForeignIds ? 'create' : undefined },
    )}`,
  ];
}

/** Fields that nobody fills, though a column may be meant for them, and columns that records should not lack. */
function lostLines({ fields, leftOut }: SuggestedMapping['draft'], missing: readonly string[]): string[] {
  const has = new Set([...fields.map(({ field }) => field), ...missing]);
  const lost = leftOut.filter(
    ({ field, risk }) => field !== undefined && !has.has(field) && risk === undefined,
  );
  const last = new Map(lost.map((each) => [each.field, each]));
  return [
    ...[...last].map(([field, { why }]) => {
      const alike = lost.filter((each) => each.field === field && each.why === why);
      const names = alike.map(({ column }) => shownWord(column));
      return `No ${field} will be imported: ${leftText(names, `since ${why}.`)}`;
    }),
    ...riskLines(leftOut),
  ];
}

/** One line for the columns that are left out for one reason and with one risk. */
function riskLines(leftOut: SuggestedMapping['draft']['leftOut']): string[] {
  const alike = new Map<string, string[]>();
  for (const { column, why, risk } of leftOut) {
    if (risk === undefined) continue;
    const reason = `since ${why}, though ${risk}.`;
    alike.set(reason, [...(alike.get(reason) ?? []), shownWord(column)]);
  }
  return [...alike].map(([reason, names]) => leftText(names, reason));
}

function leftText(names: readonly string[], reason: string): string {
  return names.length === 1
    ? `${names[0]} is left out, ${reason}`
    : `${listedNames(names)} are left out, each ${reason}`;
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

/** Questions whose answer nothing in the file gives; groups are mostly plain. */
const OPEN: ReadonlySet<string> = new Set(['skip', 'number', 'currency', 'choice', 'empty']);

function openLines(questions: SuggestedMapping['questions'], out: string | undefined): string[] {
  const isOpen = questions.some(({ kind }) => OPEN.has(kind));
  const again = isOpen ? commandAgain({ ask: true, ...(out === undefined ? {} : { out }) }) : undefined;
  return again === undefined ? [] : [`To answer what only you can decide: ${again}`];
}

function saving(mapping: string): string {
  const again = commandAgain({ out: mapping });
  return again === undefined ? `Save it as ${mapping}.` : `To save it: ${again}`;
}
