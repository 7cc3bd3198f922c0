import type { FileBinding } from '../../map/index.ts';
import {
  type Issue,
  isObject,
  type Json,
  type JsonObject,
  type Origin,
  originOf,
  RunStopped,
  type SourceRecord,
} from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { MappedRecord, RecordSteps, StepListeners } from './map-and-validate.ts';
import type { OwnRules } from './options.ts';

/** The steps of records that call these functions, one record after another. Both throw RunStopped if the run is interrupted. */
export interface OwnSteps {
  /** For the other steps: warnings are noted when the records have passed `check`. */
  readonly listeners: StepListeners;
  /** Goes between mapping and the look-up of keys. */
  transform(mapped: readonly MappedRecord[], replace: RecordSteps['replace']): Promise<MappedRecord[]>;
  /** Goes after validation. `mapped[i]` became `checked[i]`. */
  check(
    checked: readonly CheckedRecord[],
    mapped: readonly MappedRecord[],
    binding: FileBinding,
  ): Promise<readonly CheckedRecord[]>;
}

export function createOwnSteps(rules: OwnRules, listeners: StepListeners): OwnSteps {
  const { interrupted } = rules;
  let waiting: Parameters<NonNullable<StepListeners['noteWarnings']>>[] = [];

  async function transformOne(
    each: MappedRecord,
    transform: NonNullable<OwnRules['transform']>,
    replace: RecordSteps['replace'],
  ): Promise<MappedRecord> {
    const { mapped, unmasked } = each;
    if (mapped.unreadable || mapped.issues.length > 0) return each;
    const problem = (message: string): MappedRecord => ({
      ...each,
      mapped: { ...mapped, issues: [programError(message, mapped.record)] },
      transformed: 'failed',
    });
    const made = await called(() => transform(structuredClone(unmasked)), interrupted);
    if ('error' in made) return problem(`transform threw: ${made.error}`);
    if (made.value === undefined) return { ...each, transformed: 'left-out' };
    const payload = payloadFrom(made.value);
    return typeof payload === 'string' ? problem(payload) : replace(each, payload);
  }

  async function checkOne(
    each: CheckedRecord,
    { unmasked }: MappedRecord,
    { locate }: FileBinding,
  ): Promise<CheckedRecord> {
    const { check } = rules;
    if (!check || each.issues.length > 0 || each.isLeftOut) return each;
    const made = await called(() => check(structuredClone(unmasked)), interrupted);
    const issues =
      'error' in made
        ? [programError(`check threw: ${made.error}`, each.record)]
        : issuesFrom(made.value, each.record, locate);
    return issues.length === 0 ? each : { ...each, issues };
  }

  return {
    listeners: { ...listeners, noteWarnings: (...noted) => void waiting.push(noted) },
    async transform(mapped, replace) {
      const { transform } = rules;
      if (!transform) return [...mapped];
      const done: MappedRecord[] = [];
      for (const each of mapped) done.push(await transformOne(each, transform, replace));
      return done;
    },
    async check(checked, mapped, binding) {
      const done: CheckedRecord[] = [];
      for (const [index, each] of checked.entries())
        done.push(await checkOne(each, mapped[index] as MappedRecord, binding));
      const invalid = new Set(done.filter(({ issues }) => issues.length > 0).map(({ record }) => record));
      const noted = waiting;
      waiting = [];
      for (const each of noted) if (!invalid.has(each[0])) listeners.noteWarnings?.(...each);
      return done;
    },
  };
}

/** Calls a function of the program. Throws RunStopped if the run is interrupted meanwhile. */
async function called(
  run: () => unknown,
  interrupted: AbortSignal,
): Promise<{ readonly value: unknown } | { readonly error: string }> {
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('interrupted'));
  });
  aborted.catch(() => {});
  interrupted.addEventListener('abort', onAbort, { once: true });
  try {
    const result = run();
    return { value: isPromise(result) ? await Promise.race([result, aborted]) : result };
  } catch (error) {
    if (interrupted.aborted) throw new RunStopped('interrupted', 'The run was interrupted.');
    return { error: wordsOf(error) };
  } finally {
    interrupted.removeEventListener('abort', onAbort);
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Anything can be thrown, also what has no text. */
function wordsOf(error: unknown): string {
  try {
    return (error instanceof Error && (error.message || error.name)) || String(error);
  } catch {
    return 'a value that is not text';
  }
}

/** Converts a result of `transform` to plain JSON; text if it is not a payload. */
function payloadFrom(value: unknown): JsonObject | string {
  try {
    const text = JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? String(each) : each));
    const payload: Json = JSON.parse(text ?? 'null', (name, each) => {
      if (name === '__proto__') throw new Error('the name __proto__ is not allowed');
      return each;
    });
    if (isObject(payload)) return payload;
    return `transform returned ${shown(value)}: return the record, or undefined to leave it out`;
  } catch (error) {
    return `transform returned a record that JSON cannot hold: ${wordsOf(error)}`;
  }
}

/**
 * Converts a result of `check` to issues: undefined or null is none, a text is one, `{ message, field }` is one of that field, and a
 * list has several.
 */
function issuesFrom(result: unknown, record: SourceRecord, locate: FileBinding['locate']): Issue[] {
  const given = Array.isArray(result) ? result : [result];
  return given.flatMap((each: unknown): Issue[] => {
    if (each === undefined || each === null) return [];
    const { message, field } = (typeof each === 'string' ? { message: each } : each) as Readonly<
      Record<string, unknown>
    >;
    if (typeof message !== 'string' || (field !== undefined && typeof field !== 'string'))
      return [
        programError(
          `check returned ${shown(each)}: return undefined if the record is fine, else a text, { message, field }, or a list of these`,
          record,
        ),
      ];
    const text = message.trim() === '' ? 'a check of the program does not hold' : message.trim();
    const about = field === undefined ? place(record) : { field, ...locate(record, field) };
    return [{ code: 'check-failed', message: text, ...about }];
  });
}

function programError(message: string, record: SourceRecord): Issue {
  return { code: 'program-error', message, ...place(record) };
}

function place({ rows: [lead] }: SourceRecord): { readonly origin?: Origin } {
  return lead ? { origin: originOf(lead) } : {};
}

const MAX_SHOWN_CHARACTERS = 80;

/** A value for a message. */
function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (asText(value) ?? String(value));
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…` : text;
}

function asText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return typeof value;
  }
}
