import type { StoreHistory } from '../../ledger/index.ts';
import { type FileBinding, type Mapped, withImageBase } from '../../map/index.ts';
import {
  type Issue,
  type Json,
  type JsonObject,
  mailKey,
  normalisedKey,
  type PriorState,
  type SourceRecord,
  type Trashed,
} from '../../model/index.ts';
import { type CheckedRecord, keyFor, kindFor, type PlanOptions } from '../../plan/index.ts';
import { isKnownByMail } from '../../resources/index.ts';
import { createUsableCheck, createValidator } from '../../validate/index.ts';
import type { BoundMapping } from '../inputs/inputs.ts';
import { createOutside } from '../inputs/lookups.ts';
import type { MappingWarnings } from '../inputs/mapping-warnings.ts';
import { maskContacts } from './mask-contacts.ts';
import { reimportOf } from './reimported.ts';

export interface CheckOptions extends Pick<PlanOptions, 'resource' | 'mode' | 'dryRun'> {
  /** Replaces mail addresses and phone numbers with made-up ones. */
  readonly maskContacts: boolean;
  /** Fields from the settings, used if the mapping does not fill them: `{ storeId: … }`. */
  readonly fromSettings: JsonObject;
  /** Knowledge of earlier runs about this store. */
  readonly knowledge?: StoreHistory | undefined;
}

interface CheckerNotes {
  /** Called with the warnings of the mapping about a valid record. */
  readonly noteWarnings?: MappingWarnings['add'];
  /** Called with the path of each image that is left out. */
  readonly onLeftOut?: (path: string) => void;
}

/** The steps of a record between grouping and planning, for batches of one file. */
export interface RecordChecks {
  /** Maps records to payloads. */
  map(records: readonly SourceRecord[], binding: FileBinding): MappedRecord[];
  /** Looks up what earlier runs know of the records, and validates each payload against the schema. */
  validate(mapped: readonly MappedRecord[], binding: FileBinding): CheckedRecord[];
}

export function createRecordChecks(
  { mapping, suppliedLater, lookups }: Pick<BoundMapping, 'mapping' | 'suppliedLater' | 'lookups'>,
  options: CheckOptions,
  { noteWarnings, onLeftOut }: CheckerNotes = {},
): RecordChecks {
  const { resource, mode, knowledge } = options;
  const { lookup, trashed, findEarlier } = knowledge ?? {};
  const { imageBase } = mapping;
  const outside = createOutside(lookups, { knowledge, dryRun: options.dryRun, imageBase, onLeftOut });
  const validate = {
    create: createValidator(resource, { partial: false, suppliedLater }),
    update: createValidator(resource, { partial: true, suppliedLater }),
  };
  const isUsable = createUsableCheck(resource);
  const byMail = isKnownByMail(resource);

  const settings = Object.keys(options.fromSettings).length > 0 ? options.fromSettings : undefined;

  // Objects are written out: this runs for every record, and spreading would cost more than all else here.
  function mapOne(record: SourceRecord, binding: FileBinding): MappedRecord {
    const mapped = binding.map(record, outside);
    const given = settings ? { ...settings, ...mapped.payload } : mapped.payload;
    const payload = imageBase === undefined ? given : withImageBase(given, imageBase);
    return {
      mapped,
      payload: options.maskContacts ? maskContacts(payload) : payload,
      namedKey: mapped.key,
      groupKey: keyOfGroup(record, binding.groupKeyOf) || undefined,
    };
  }

  function validateOne(
    filled: MappedRecord,
    binding: FileBinding,
    known?: PriorState,
    inTrash?: Trashed,
  ): CheckedRecord {
    const { mapped, namedKey, groupKey } = filled;
    const { record, id, blanks } = mapped;
    const kind = kindFor(mode, resource, id ?? known?.id);
    const payload =
      blanks && kind === 'update' ? withBlanks(filled.payload, blanks, id, known) : filled.payload;
    // Unreadable rows were not mapped, so a missing field would mean nothing.
    const check = validate[kind];
    const locate = (field: string) => binding.locate(record, field);
    // Made-up addresses are always valid, so those of the file are checked.
    const found = mapped.unreadable ? [] : both(check(payload, locate), isUsable(mapped.payload, locate));
    const issues = withoutEchoes(mapped.issues, found);
    if (mapped.warnings && issues.length === 0)
      noteWarnings?.(record, keyFor(resource, filled), mapped.warnings);
    return {
      record,
      payload,
      issues,
      namedKey,
      groupKey,
      id,
      known,
      trashed: inTrash,
      reimport: binding.earlier && reimportOf(record, binding, findEarlier),
    };
  }

  function map(records: readonly SourceRecord[], binding: FileBinding): MappedRecord[] {
    outside.held = binding.held;
    return records.map((record) => mapOne(record, binding));
  }

  function validateAll(mapped: readonly MappedRecord[], binding: FileBinding): CheckedRecord[] {
    if (!lookup && !trashed) return mapped.map((each) => validateOne(each, binding));
    const keys = mapped.map((each) => normalisedKey(keyFor(resource, each)));
    // Earlier versions stored mail addresses as they were in the files.
    const byKey = lookup?.(byMail ? [...new Set([...keys, ...keys.map(mailKey)])] : keys);
    const known = keys.map((key) => byKey?.get(key) ?? (byMail ? byKey?.get(mailKey(key)) : undefined));
    if (!trashed) return mapped.map((each, index) => validateOne(each, binding, known[index]));
    const ids = mapped.map(({ mapped: { id } }, index) => id ?? known[index]?.id ?? '');
    const inTrash = trashed(ids);
    return mapped.map((each, index) =>
      validateOne(each, binding, known[index], inTrash.get(ids[index] as string)),
    );
  }

  return { map, validate: validateAll };
}

/**
 * Adds blanks to an update for the fields that it clears. A field that was never sent needs no clearing: so the same
 * file sends nothing the second time.
 */
function withBlanks(
  payload: JsonObject,
  blanks: NonNullable<Mapped['blanks']>,
  id: string | undefined,
  known: PriorState | undefined,
): JsonObject {
  const given = id === undefined || id === known?.id ? known?.digests?.fields.split(',') : undefined;
  const cleared = { ...payload };
  for (const [path, value] of blanks) {
    const [top = '', ...inside] = path.split('.');
    if (given && !given.includes(top)) continue;
    cleared[top] = put(cleared[top], inside, value);
  }
  return cleared;
}

/** Replaces the value at a path inside another value. */
function put(into: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const object = typeof into === 'object' && into !== null && !Array.isArray(into) ? into : {};
  return { ...object, [name]: put(object[name], rest, value) };
}

/** A record with its payload, before validation. */
export interface MappedRecord {
  readonly mapped: Mapped;
  readonly payload: JsonObject;
  readonly namedKey: string | undefined;
  readonly groupKey: string | undefined;
}

/** The text by which the rows of a record were grouped. */
export function keyOfGroup(
  { rows: [lead] }: SourceRecord,
  groupKeyOf: FileBinding['groupKeyOf'],
): string | undefined {
  return groupKeyOf === undefined || lead === undefined ? undefined : groupKeyOf(lead);
}

function both(some: readonly Issue[], others: readonly Issue[]): readonly Issue[] {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...some, ...others];
}

/** Drops validation issues of fields that the mapping could not fill: one message for each is enough. */
function withoutEchoes(mapped: readonly Issue[], validated: readonly Issue[]): readonly Issue[] {
  if (validated.length === 0) return mapped;
  if (mapped.length === 0) return validated;
  const known = new Set(mapped.map((issue) => issue.field));
  return [...mapped, ...validated.filter((issue) => !known.has(issue.field))];
}
