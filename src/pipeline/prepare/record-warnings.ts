import type { RecordOrigin } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import type { FieldDigests, PlannedRecord, PriorState } from '../../model/index.ts';
import { type CheckedRecord, digestedFields } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { requiredFields } from '../../validate/index.ts';
import type { NoteWarnings } from '../inputs/mapping-warnings.ts';
import type { ComparedHistory } from './options.ts';

/** Warns of planned records that are valid but probably unintended. */
export interface RecordWarnings {
  /** `planned[i]` is the plan of `checked[i]`. */
  note(checked: readonly CheckedRecord[], planned: readonly PlannedRecord[]): Promise<void>;
}

export interface RecordWarningsOptions {
  readonly resource: Resource;
  readonly dryRun: boolean;
  /** History to warn by; undefined if nothing is to be compared. */
  readonly history: ComparedHistory | undefined;
  readonly noteWarnings: NoteWarnings;
  /** Called once, while the user can still stop the run. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Number of records that change most of another one before a warning is given: fewer may be accidents. */
const SAY_AT = 10;

/** Maximum number of earlier files that are named. Others are counted together. */
const MOST_FILES = 10;

export function createRecordWarnings(options: RecordWarningsOptions): RecordWarnings {
  const { resource, dryRun, history, noteWarnings, onWarning } = options;
  const withoutKey = [withoutKeyWarning(resource)];
  const elsewhere = [replacing(resource, 'other files')];
  const replaced = new Map<string, readonly string[]>();
  const isMostOf = mostOf(resource);
  let count = 0;

  /** `changed`: the fields that the update sends. */
  function replacesMost({ reimport }: CheckedRecord, known: PriorState, changed: readonly string[]): boolean {
    return !reimport && known.digests !== undefined && isMostOf(changed, known.digests);
  }

  /** Warns if the replaced record is from another file. `source`: the file that it is from. */
  function noteReplaced({ record }: CheckedRecord, key: string, source: RecordOrigin | undefined) {
    const file = record.rows[0]?.table.file;
    if (!source || file === undefined || (source.path ?? resolve(source.file)) === resolve(file)) return;
    const name = `"${source.file}" (run ${source.run})`;
    if (!replaced.has(name) && replaced.size < MOST_FILES) replaced.set(name, [replacing(resource, name)]);
    noteWarnings(record, key, replaced.get(name) ?? elsewhere);
    count++;
    if (count === SAY_AT && !dryRun) onWarning?.(soFar(resource, name));
  }

  return {
    async note(checked, planned) {
      const replacing: { readonly each: CheckedRecord; readonly key: string; readonly known: PriorState }[] =
        [];
      for (const [index, { record, key, operation }] of planned.entries()) {
        const each = checked[index] as CheckedRecord;
        if (operation?.kind === 'update') {
          const { known } = each;
          if (known?.id === operation.id && replacesMost(each, known, Object.keys(operation.payload)))
            replacing.push({ each, key, known });
        } else if (key === '' && operation) noteWarnings(record, undefined, withoutKey);
      }
      if (!history || replacing.length === 0) return;
      const sources = await history.sourcesOf(replacing.map(({ known }) => known.ref));
      for (const [index, { each, key }] of replacing.entries()) noteReplaced(each, key, sources[index]);
    },
  };
}

/** True if an update changes most fields of a record and its name or the like. Prices and stock change daily. */
function mostOf(resource: Resource): (changed: readonly string[], before: FieldDigests) => boolean {
  const { key = [], fromSettings = [] } = resource;
  const aside = new Set<string>([...key, ...fromSettings]);
  const required = requiredFields(resource, { partial: false, suppliedLater: fromSettings });
  const naming = required.filter((field) => !aside.has(field));
  return (changed, before) => {
    if (!naming.some((field) => changed.includes(field))) return false;
    const fields = digestedFields(before).filter((field) => !aside.has(field));
    return fields.filter((field) => changed.includes(field)).length * 2 > fields.length;
  };
}

function withoutKeyWarning({ singular, key }: Resource): string {
  const lacking = key ? key.join(' and without ') : 'a key';
  return `Importing this file again creates ${withArticle(singular)} without ${lacking} a second time, since it cannot be recognised.`;
}

function replacing({ singular }: Resource, source: string): string {
  return `The key belongs to ${withArticle(singular)} from ${source}, and most of its fields are changed: is this another ${singular}?`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function soFar({ name }: Resource, source: string): string {
  return `${SAY_AT} ${name} so far have keys of ${source} and change most of the fields there. If they are other ${name}, stop with Ctrl-C and give them keys of their own.`;
}
