import type { LaterRecord } from '../model/index.ts';
import type { Resource } from '../resources/index.ts';
import { createKeyIndex } from './key-index.ts';
import { keyNormaliser } from './record-key.ts';

/** Records that later runs have settled: an older run must not put its values over theirs. */
export interface NewerImports {
  /** Adds records. Must be called for the latest run first. */
  add(records: readonly LaterRecord[]): void;
  /** Id of the latest run that has settled the key or the identifier; undefined if none has. */
  runOf(key: string, id: string | undefined): string | undefined;
}

export function createNewerImports(resource: Resource): NewerImports {
  const normalise = keyNormaliser(resource);
  const index = createKeyIndex();
  const runs: string[] = [];
  const idEntry = (id: string) => `\u0001${id}`;
  const find = (entry: string | undefined) => {
    const place = entry === undefined ? undefined : index.find(entry);
    return place === undefined ? undefined : runs[place - 1];
  };
  return {
    add(records) {
      for (const { run, key, id } of records) {
        if (runs.at(-1) !== run) runs.push(run);
        if (key !== '') index.claim(normalise(key), runs.length);
        if (id !== undefined) index.claim(idEntry(id), runs.length);
      }
    },
    runOf: (key, id) =>
      find(key === '' ? undefined : normalise(key)) ?? find(id === undefined ? undefined : idEntry(id)),
  };
}
