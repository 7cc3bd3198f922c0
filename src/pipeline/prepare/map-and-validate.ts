import { NO_WRONG_IMAGES } from '../../images/index.ts';
import type { EarlierRecord } from '../../ledger/index.ts';
import { createRecordChecks, type FileBinding, type Mapped, withImageBase } from '../../map/index.ts';
import {
  type Issue,
  type Json,
  type JsonObject,
  type PriorState,
  type Row,
  type SourceRecord,
  type Trashed,
  valueReader,
} from '../../model/index.ts';
import {
  type CheckedRecord,
  digestedFields,
  keyFor,
  kindFor,
  nationalPhoneKey,
  phoneCountry,
} from '../../plan/index.ts';
import { isKnownByMail } from '../../resources/index.ts';
import { createUsableCheck, createValidator } from '../../validate/index.ts';
import type { ResolvedMapping } from '../inputs/inputs.ts';
import { createLookupResolver } from '../inputs/lookups.ts';
import type { NoteWarnings } from '../inputs/mapping-warnings.ts';
import { knownPeople, knownRecords } from './known-records.ts';
import { maskContacts, maskedKey } from './mask-contacts.ts';
import type { CheckOptions } from './options.ts';
import { earlierAt, reimportOf } from './reimported.ts';

export interface StepListeners {
  /** Called with the warnings of the mapping about a valid record. */
  readonly noteWarnings?: NoteWarnings;
  /** Called with the path of each image that is left out. */
  readonly onLeftOut?: (path: string) => void;
}

/**
 * The steps of a record between grouping and planning, for batches of one file. What the ledger is asked is asked for a
 * whole batch, and before the step that needs it.
 */
export interface RecordSteps {
  /** Fetches the ids that the mapping looks up in the ledger; undefined if there is nothing to wait for. Goes before `map`. */
  fetchLookups(records: readonly SourceRecord[], binding: FileBinding): Promise<void> | undefined;
  /** Maps records to payloads. */
  map(records: readonly SourceRecord[], binding: FileBinding): MappedRecord[];
  /** Replaces the payload of a record before contacts are masked. */
  replace(mapped: MappedRecord, payload: JsonObject): MappedRecord;
  /** Looks up what earlier runs know of the records; undefined if there is nothing to look it up in. */
  lookUp(mapped: readonly MappedRecord[], binding: FileBinding): Promise<BatchHistory> | undefined;
  /** Validates each payload against the schema. */
  validate(
    mapped: readonly MappedRecord[],
    binding: FileBinding,
    history: BatchHistory | undefined,
  ): CheckedRecord[];
}

/** The history of the records of a batch. */
export interface BatchHistory {
  /** The state of each record's key. */
  readonly known?: readonly (PriorState | undefined)[] | undefined;
  /** By identifier. */
  readonly inTrash?: ReadonlyMap<string, Trashed> | undefined;
  /** The earlier records that re-imported rows belong to. */
  readonly earlier?: ReadonlyMap<Row, EarlierRecord | undefined> | undefined;
}

export function createRecordSteps(
  { mapping, suppliedLater, lookups, images }: ResolvedMapping,
  options: CheckOptions,
  { noteWarnings, onLeftOut }: StepListeners = {},
): RecordSteps {
  const { resource, mode, dryRun, history, planned } = options;
  const { lookup, trashed, findEarlier } = history ?? {};
  const { imageBase, country } = mapping;
  const otherKey = options.maskContacts
    ? (name: string, key: string) => maskedKey(name, key, country)
    : undefined;
  const among = mapping.lookups.flatMap((table) => ('from' in table ? [table.from] : []));
  const resolver = createLookupResolver(lookups, {
    ...{ history, among, dryRun, planned, otherKey, imageBase, country, onLeftOut },
  });
  const validate = {
    create: createValidator(resource, { partial: false, suppliedLater }),
    update: createValidator(resource, { partial: true, suppliedLater }),
  };
  const isUsable = createUsableCheck(resource);
  const isUsableJson = createUsableCheck(resource, true);
  const check = createRecordChecks(mapping);
  const byMail = isKnownByMail(resource);

  const settings = Object.keys(options.fromSettings).length > 0 ? options.fromSettings : undefined;

  // Objects are written out: this runs for every record, and spreading would cost more than all else here.
  function mapOne(record: SourceRecord, binding: FileBinding): MappedRecord {
    const mapped = binding.map(record, resolver);
    const completed = settings ? { ...settings, ...mapped.payload } : mapped.payload;
    const payload = imageBase === undefined ? completed : withImageBase(completed, imageBase);
    return withPayload(mapped, payload, keyOfGroup(record, binding.groupKeyOf) || undefined);
  }

  function withPayload(mapped: Mapped, payload: JsonObject, groupKey: string | undefined): MappedRecord {
    const isMasked = options.maskContacts;
    return {
      mapped,
      unmasked: payload,
      payload: isMasked ? maskContacts(payload, phoneCountry(resource, payload, country)) : payload,
      phoneKey: isMasked ? undefined : nationalPhoneKey(resource, payload, country),
      namedKey: mapped.key,
      groupKey,
    };
  }

  function validateOne(
    mappedRecord: MappedRecord,
    binding: FileBinding,
    known: PriorState | undefined,
    { inTrash, earlier }: BatchHistory,
  ): CheckedRecord {
    const { mapped, unmasked, phoneKey, namedKey, groupKey, transformed } = mappedRecord;
    const { record, id, blanks } = mapped;
    if (transformed === 'left-out')
      return {
        record,
        payload: mappedRecord.payload,
        issues: [],
        phoneKey,
        namedKey,
        groupKey,
        isLeftOut: true,
      };
    // The payload that a failed transform would have made is not known, so it is not validated.
    const isComplete = !mapped.unreadable && transformed !== 'failed';
    const kind = kindFor(mode, resource, id ?? known?.id);
    const payload =
      blanks && kind === 'update'
        ? withBlanks(mappedRecord.payload, blanks, fieldsSent(id, known))
        : mappedRecord.payload;
    // Unreadable rows were not mapped, so a missing field would mean nothing.
    const validator = validate[kind];
    const locate = (field: string) => binding.locate(record, field);
    // Made-up addresses are always valid, so those of the file are checked.
    const found = !isComplete
      ? []
      : joinIssues(
          validator(payload, locate),
          (record.rows[0]?.value === undefined ? isUsable : isUsableJson)(unmasked, locate),
        );
    const wrong = images && isComplete ? images.check(payload, locate) : NO_WRONG_IMAGES;
    const before = withoutEchoes(mapped.issues, joinIssues(found, wrong.issues));
    const checked = check && isComplete ? check({ payload: unmasked, issues: before, locate }) : undefined;
    const issues = checked ? joinIssues(before, checked.issues) : before;
    const ofChecks = checked?.warnings ?? [];
    if (issues.length === 0 && (mapped.warnings || wrong.warnings.length > 0 || ofChecks.length > 0)) {
      const warnings = [...(mapped.warnings ?? []), ...wrong.warnings, ...ofChecks];
      noteWarnings?.(record, keyFor(resource, mappedRecord), warnings);
    }
    return {
      record,
      payload,
      issues,
      phoneKey,
      namedKey,
      groupKey,
      id,
      known,
      trashed: inTrash?.get(id ?? known?.id ?? ''),
      reimport: binding.earlierRowOf && reimportOf(record, binding, earlier),
    };
  }

  function map(records: readonly SourceRecord[], binding: FileBinding): MappedRecord[] {
    resolver.ruleUse = binding.ruleUse;
    return records.map((record) => mapOne(record, binding));
  }

  async function historyOf(
    mapped: readonly MappedRecord[],
    { earlierRowOf }: FileBinding,
  ): Promise<BatchHistory> {
    const known = await (byMail ? knownPeople : knownRecords)(resource, mapped, history);
    const ids = mapped.map(({ mapped: { id } }, index) => id ?? known[index]?.id ?? '');
    const inTrash = await trashed?.(ids);
    const records = mapped.map(({ mapped: { record } }) => record);
    const earlier = findEarlier && earlierRowOf && (await earlierAt(records, earlierRowOf, findEarlier));
    return { known, inTrash, earlier };
  }

  return {
    fetchLookups: (records, binding) =>
      resolver.fetch((collecting) => {
        for (const record of records) binding.map(record, collecting);
      }),
    map,
    replace: ({ mapped, groupKey }, payload) =>
      withPayload({ ...mapped, ...blanksLeft(mapped, payload) }, payload, groupKey),
    lookUp(mapped, binding) {
      const isKnown = lookup !== undefined || trashed !== undefined;
      const isReimported = findEarlier !== undefined && binding.earlierRowOf !== undefined;
      return mapped.length > 0 && (isKnown || isReimported) ? historyOf(mapped, binding) : undefined;
    },
    validate: (mapped, binding, batch = {}) =>
      mapped.map((each, index) => validateOne(each, binding, batch.known?.[index], batch)),
  };
}

/** The fields that were sent for a record before; undefined if that is not known, or they belong to another record. */
function fieldsSent(id: string | undefined, known: PriorState | undefined): readonly string[] | undefined {
  return known?.digests && (id === undefined || id === known.id) ? digestedFields(known.digests) : undefined;
}

/**
 * Adds blanks to an update for the fields that it clears. A field that was never sent needs no clearing: so the same
 * file sends nothing the second time.
 */
function withBlanks(
  payload: JsonObject,
  blanks: NonNullable<Mapped['blanks']>,
  sent: readonly string[] | undefined,
): JsonObject {
  const cleared = { ...payload };
  for (const [path, value] of blanks) {
    const [top = '', ...inside] = path.split('.');
    if (sent && !sent.includes(top)) continue;
    cleared[top] = put(cleared[top], inside, value);
  }
  return cleared;
}

/** The blanks of a record whose payload was replaced, without fields that are filled now. */
function blanksLeft({ blanks }: Mapped, payload: JsonObject): Pick<Mapped, 'blanks'> {
  return blanks ? { blanks: blanks.filter(([path]) => valueReader(path)(payload) === undefined) } : {};
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
  /** The payload before contacts are masked; the same object if they are not. */
  readonly unmasked: JsonObject;
  readonly phoneKey: string | undefined;
  readonly namedKey: string | undefined;
  readonly groupKey: string | undefined;
  /** The program's transform left it out, or could not be used. */
  readonly transformed?: 'left-out' | 'failed';
}

/** The text by which the rows of a record were grouped. */
export function keyOfGroup(
  { rows: [lead] }: SourceRecord,
  groupKeyOf: FileBinding['groupKeyOf'],
): string | undefined {
  return groupKeyOf === undefined || lead === undefined ? undefined : groupKeyOf(lead);
}

function joinIssues(some: readonly Issue[], others: readonly Issue[]): readonly Issue[] {
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
