import { bind, parseMapping } from '../../map/index.ts';
import type { Issue, Row, SourceRecord, Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { type DraftField, type MappingDraft, writeYaml } from '../../suggest/index.ts';
import { requiredFields } from '../../validate/index.ts';
import { createRecordSteps } from '../prepare/map-and-validate.ts';

/** A draft that was tried on the sample. */
export interface TriedDraft {
  readonly draft: MappingDraft;
  /** Records of the sample, and how many of them are valid. */
  readonly records: number;
  readonly valid: number;
}

/** Share of the records that may have an issue in a field, before the field is left out. */
const MOST_FAULTY = 0.03;

/** The rows of the sample, grouped. */
export interface SampleRows {
  readonly table: Table;
  readonly rows: readonly Row[];
  /** Indexes of the rows of each record. */
  readonly records: readonly (readonly number[])[];
}

/**
 * Maps and validates the records of the sample by the draft. Leaves out fields that would make many of them invalid, as
 * long as the store does not require them: a mapping that is used unchanged should import most records.
 */
export function tryDraft(draft: MappingDraft, resource: Resource, sample: SampleRows): TriedDraft {
  const found = issuesOf(draft, resource, sample);
  const total = sample.records.length;
  const faulty = draft.fields.filter((field) => {
    const count = found.filter((issues) => issues.some((issue) => isOf(issue, field))).length;
    return count > MOST_FAULTY * total && !isRequired(resource, field.field);
  });
  if (faulty.length === 0 || total === 0)
    return { draft, records: total, valid: found.filter((issues) => issues.length === 0).length };
  return tryDraft(without(draft, faulty, found.flat()), resource, sample);
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

function isOf({ field }: Issue, { field: own }: DraftField): boolean {
  return field === own || field?.startsWith(`${own}.`) === true || own.startsWith(`${field}.`);
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
