import { contactKey, normalisedKey, type RecordResult } from '../../model/index.ts';
import { createKeyIndex } from '../../plan/index.ts';
import { PLACEHOLDER, type PlannedReferences } from '../inputs/lookups.ts';

/** The keys of the records that the steps of a migration will create: some 20 bytes each. */
export interface PlannedKeys {
  /** Begins the step of a resource. `files`: for messages. */
  begin(resource: string, files: readonly string[]): (result: RecordResult) => void;
  /** The references of a step to those that were begun before it. */
  referencesOf(resource: string): PlannedReferences;
}

interface StepKeys {
  readonly files: readonly string[];
  readonly valid: ReturnType<typeof createKeyIndex>;
  readonly invalid: ReturnType<typeof createKeyIndex>;
}

/**
 * Creates the index. `knowsStore`: true if the history has everything that the store has, so that a key which is neither
 * there nor in a step is wrong.
 */
export function createPlannedKeys(knowsStore: boolean): PlannedKeys {
  const steps = new Map<string, StepKeys>();
  return {
    begin(resource, files) {
      const keys = { files, valid: createKeyIndex(), invalid: createKeyIndex() };
      steps.set(resource, keys);
      return ({ key, row, outcome: { outcome } }) => {
        if (key === '' || (outcome !== 'planned' && outcome !== 'invalid')) return;
        const index = outcome === 'planned' ? keys.valid : keys.invalid;
        index.claim(normalisedKey(key), row);
        // The ledger knows customers by both forms.
        if (resource === 'customers') index.claim(contactKey(key), row);
      };
    },
    referencesOf: (own) => ({
      find(resource, key) {
        // A lookup among its own resource finds what earlier runs have sent, not what this one is about to send.
        const step = resource === own ? undefined : steps.get(resource);
        if (!step) return knowsStore ? { missing: 'unknown' } : undefined;
        if (step.valid.find(key) !== undefined) return { value: PLACEHOLDER };
        return { missing: 'unknown', says: whyMissing(resource, step, key) };
      },
    }),
  };
}

function whyMissing(resource: string, { files, invalid }: StepKeys, key: string): string {
  const row = invalid.find(key);
  const names = files.join(' or ');
  if (row === undefined)
    return `is neither in ${names} nor among the ${resource} of this store: add it there, or correct this cell`;
  const place = files.length === 1 ? `row ${row} of ${names}` : names;
  return `is invalid in ${place}, so it will not be among the ${resource}: correct it there, or correct this cell`;
}
