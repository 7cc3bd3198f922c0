import { group, maskContacts } from '../map/index.ts';
import type { Issue, JsonObject, Planned, SourceRecord } from '../model/index.ts';
import { createPlanner, kindFor, type PlanOptions } from '../plan/index.ts';
import { createValidator } from '../validate/index.ts';
import type { Input, Inputs } from './sources.ts';

export interface StageOptions extends Omit<PlanOptions, 'keyIsGroupKey'> {
  /** Records to pass over before the first one is taken. */
  readonly offset: number;
  /** Records to take at most. */
  readonly limit?: number | undefined;
  /** Replaces mail addresses and phone numbers by made-up ones. */
  readonly maskContacts: boolean;
  /** Fields that come from the settings, where the mapping does not fill them: `{ storeId: … }`. */
  readonly fromSettings: JsonObject;
  /** Told how many records are on their way to the store, for progress. */
  readonly onPlanned: (records: number) => void;
}

/** rows → records → payloads → checked → planned: the flow up to the point where the store comes in. */
export async function* planRecords(inputs: Inputs, options: StageOptions): AsyncGenerator<Planned[]> {
  const plan = createPlanner({ ...options, keyIsGroupKey: keyIsGroupKey(inputs, options) });
  const check = checker(inputs, options);
  const last = options.limit === undefined ? Number.POSITIVE_INFINITY : options.offset + options.limit;
  let seq = 0;
  for (const input of inputs.inputs) {
    const { source, binding } = input;
    for await (const records of group(source.batches, binding.groupColumn, seq)) {
      seq += records.length;
      const taken = records.filter((record) => record.seq >= options.offset && record.seq < last);
      options.onPlanned(taken.length);
      if (taken.length > 0) yield taken.map((record) => plan(check(record, input)));
      if (seq >= last) return;
    }
  }
}

function keyIsGroupKey({ mapping }: Inputs, { resource }: StageOptions): boolean {
  const { groupBy, keyBy } = mapping;
  if (keyBy !== undefined) return keyBy === groupBy;
  const rule = mapping.fields.find(({ path }) => path.join('.') === resource.key?.[0])?.rule;
  return rule?.kind === 'value' && rule.source.kind === 'columns' && rule.source.names.join() === groupBy;
}

function checker(inputs: Inputs, options: StageOptions) {
  const { resource, mode } = options;
  const { suppliedLater } = inputs;
  const validate = {
    create: createValidator(resource, { partial: false, suppliedLater }),
    update: createValidator(resource, { partial: true, suppliedLater }),
  };
  return (record: SourceRecord, { binding }: Input) => {
    const mapped = binding.map(record);
    const filled = { ...options.fromSettings, ...mapped.payload };
    const payload = options.maskContacts ? maskContacts(filled) : filled;
    // Rows that could not be read as they stand were not mapped: what would be missing there says nothing.
    const check = validate[kindFor(mode, resource, mapped.id)];
    const found = mapped.unreadable ? [] : check(payload, (field) => binding.locate(record, field));
    const groupKey = groupKeyOf(record, binding.groupColumn);
    return {
      record,
      payload,
      issues: withoutEchoes(mapped.issues, found),
      ...(mapped.key === undefined ? {} : { namedKey: mapped.key }),
      ...(groupKey ? { groupKey } : {}),
      ...(mapped.id === undefined ? {} : { id: mapped.id }),
      ...(mapped.earlier?.outcome === 'in-doubt' ? { inDoubt: mapped.earlier } : {}),
    };
  };
}

function groupKeyOf(record: SourceRecord, column: number | undefined): string | undefined {
  return column === undefined ? undefined : record.rows[0]?.cells[column]?.trim();
}

/** A field that mapping could not fill is missing in the payload too; one message for it is enough. */
function withoutEchoes(mapped: readonly Issue[], validated: readonly Issue[]): readonly Issue[] {
  if (validated.length === 0) return mapped;
  if (mapped.length === 0) return validated;
  const known = new Set(mapped.map((issue) => issue.field));
  return [...mapped, ...validated.filter((issue) => !known.has(issue.field))];
}
