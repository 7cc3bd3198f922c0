import { bind, parseMapping } from '../../map/index.ts';
import {
  type Issue,
  type JsonObject,
  literalPattern,
  type Row,
  restore,
  type SourceRecord,
  type Table,
} from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import {
  type DraftField,
  isFew,
  type MappingDraft,
  SURE,
  type WordCells,
  writeYaml,
} from '../../suggest/index.ts';
import { requiredFields } from '../../validate/index.ts';
import { createRecordSteps } from '../prepare/map-and-validate.ts';

/** A draft that was tried on the sample. */
export interface TriedDraft {
  readonly draft: MappingDraft;
  /** Records of the sample, and how many of them are valid. */
  readonly records: number;
  readonly valid: number;
}

/**
 * Shares of the records that may have an issue in a field before the field is left out: more if the name of its column is clear,
 * since then its cells are at fault and not the choice of the column.
 */
const MAX_FAULTY_SHARE = { clear: 0.4, unclear: 0.03 };

/** The rows of the sample, grouped. */
export interface SampleRows {
  readonly table: Table;
  readonly rows: readonly Row[];
  /** Indexes of the rows of each record. */
  readonly records: readonly (readonly number[])[];
}

/**
 * Maps and validates the records of the sample by the draft. Leaves out fields that would make many of them invalid, as
 * long as the store does not require them: a mapping that is used unchanged should import most records. Of fields with a few
 * faults it says how many there are, and names the first.
 */
export function tryDraft(draft: MappingDraft, resource: Resource, sample: SampleRows): TriedDraft {
  const found = issuesOf(draft, resource, sample);
  const total = sample.records.length;
  const faults = new Map(
    draft.fields.map((field) => [
      field,
      found.flatMap((issues) => issues.find((issue) => isOf(issue, field)) ?? []),
    ]),
  );
  const rows = sample.records.reduce((sum, { length }) => sum + length, 0);
  const isFaulty = (field: DraftField) => {
    const most = field.score >= SURE ? MAX_FAULTY_SHARE.clear : MAX_FAULTY_SHARE.unclear;
    // A record of many rows has one fault sooner.
    const faultyRows = new Set(
      found.flat().flatMap((issue) => (isOf(issue, field) ? [issue.origin?.row] : [])),
    ).size;
    const areFew = isFew(faults.get(field)?.length ?? 0, total, most) || isFew(faultyRows, rows, most);
    return !areFew && field.isChosen !== true && !isRequired(resource, field.field);
  };
  const faulty = draft.fields.filter(isFaulty);
  if (faulty.length > 0) return tryDraft(without(draft, faulty, found.flat()), resource, sample);
  // The variants of a group have rules of their own for the same cells, which the offer would not change.
  const offersWords = draft.group === undefined;
  const fields = draft.fields.map((field) =>
    withFaults(field, faults.get(field) ?? [], { sample, offersWords }),
  );
  return {
    draft: { ...draft, fields },
    records: total,
    valid: found.filter((issues) => issues.length === 0).length,
  };
}

/** The field with a word about the records that have an issue in it, and an offer if the cells are words. */
function withFaults(
  field: DraftField,
  issues: readonly Issue[],
  { sample, offersWords }: { readonly sample: SampleRows; readonly offersWords: boolean },
): DraftField {
  const [first] = issues;
  if (first === undefined || field.doubt !== undefined) return field;
  const place = first.origin === undefined ? '' : `, the first in row ${first.origin.row}`;
  const message = (first.unquoted ?? first.message).replace(/\.$/, '');
  const words = offersWords ? wordsAmong(field, issues, sample) : undefined;
  const offer = words === undefined ? '' : `; to leave such cells empty, add ${words.offer}`;
  return {
    ...field,
    doubt: `${issues.length} of ${sample.records.length} records ${issues.length === 1 ? 'has' : 'have'} an issue in it${place}: ${message}${offer}`,
    words,
  };
}

/** More different words are a column of texts. */
const MAX_WORDS = 5;
const MAX_WORD_LENGTH = 40;
/** As suggestions clean cells for nothing. */
const NULLS = '^(NULL|null)$';

/** The cells that the issues are about, if each is a word beside numbers, with a rule that takes them for empty. */
function wordsAmong(
  { rule, columns: [column, ...others] }: DraftField,
  issues: readonly Issue[],
  { table, rows }: SampleRows,
): (WordCells & { readonly offer: string }) | undefined {
  const { number, replace, ...steps } = (rule ?? {}) as JsonObject;
  const { match = NULLS } = (replace ?? {}) as JsonObject;
  if (number === undefined || others.length > 0 || match !== NULLS) return undefined;
  const at = table.header.findIndex((name) => name.trim() === column);
  const faulty = new Set(issues.flatMap(({ origin }) => origin?.row ?? []));
  const found = rows
    .filter(({ row }) => faulty.has(row))
    .map(({ row, cells }) => ({ row, cell: restore(cells[at] ?? '').trim() }));
  const words = [...new Set(found.map(({ cell }) => cell))];
  const areWords = words.every((cell) => /^\p{L}[^\d]*$/u.test(cell) && cell.length <= MAX_WORD_LENGTH);
  if (words.length === 0 || words.length > MAX_WORDS || !areWords) return undefined;
  const patterns = words.map(literalPattern);
  const all = replace === undefined ? patterns : ['NULL', 'null', ...patterns];
  const cure = { match: `^(${all.join('|')})$` };
  return {
    cells: words,
    rows: found.map(({ row }) => row),
    rule: { ...steps, replace: cure, number },
    offer: `replace: { match: '${cure.match.replaceAll("'", "''")}' }`,
  };
}

function issuesOf(
  draft: MappingDraft,
  resource: Resource,
  { table, rows, records }: SampleRows,
): (readonly Issue[])[] {
  const mapping = { ...parseMapping('suggested', writeYaml(draft, table.file)), watchedRules: [] };
  const binding = bind(mapping, table, []);
  const suppliedLater = resource.fromSettings ?? [];
  const bound = { mapping, suppliedLater, lookups: new Map(), header: table.header, updatesById: false };
  const steps = createRecordSteps(bound, {
    resource,
    mode: 'create',
    dryRun: true,
    maskContacts: false,
    fromSettings: {},
  });
  const grouped = records.map(
    (indexes, seq): SourceRecord => ({ seq, rows: indexes.map((index) => rows[index] as Row) }),
  );
  return steps.validate(steps.map(grouped, binding), binding, undefined).map(({ issues }) => issues);
}

/** True if leaving the field out may cure the issue: an object that is missing has no value of any of its fields. */
function isOf({ field, code }: Issue, { field: own }: DraftField): boolean {
  if (field === own || field?.startsWith(`${own}.`)) return true;
  return code !== 'required' && own.startsWith(`${field}.`);
}

function isRequired(resource: Resource, field: string): boolean {
  const required = requiredFields(resource, { partial: false, suppliedLater: resource.fromSettings ?? [] });
  return required.includes(field) || resource.key?.includes(field) === true;
}

function without(draft: MappingDraft, faulty: readonly DraftField[], issues: readonly Issue[]): MappingDraft {
  return {
    ...draft,
    fields: draft.fields.filter((field) => !faulty.includes(field)),
    leftOut: [
      ...draft.leftOut,
      ...faulty.map((field) => ({
        column: field.columns.join(', '),
        field: field.field,
        why: issues.find((issue) => isOf(issue, field))?.message ?? 'its cells do not fit',
        sample: '',
      })),
    ],
  };
}
