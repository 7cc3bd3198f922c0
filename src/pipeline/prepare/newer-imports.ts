import type { LaterRecord } from '../../model/index.ts';
import { createNewerImports, type NewerImports } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';

/**
 * Records that later runs have settled, for the planner of an older one. Undefined if there is nothing, or `overwrites`: the older
 * values are wanted all the same.
 */
export async function newerImports(
  resource: Resource,
  pages: Iterable<readonly LaterRecord[]> | AsyncIterable<readonly LaterRecord[]>,
  overwrites = false,
): Promise<NewerImports | undefined> {
  if (overwrites) return undefined;
  let newer: NewerImports | undefined;
  for await (const page of pages) {
    newer ??= createNewerImports(resource);
    newer.add(page);
  }
  return newer;
}
