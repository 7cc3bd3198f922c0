import { resolve } from 'node:path';
import type { KnownRun } from '../../ledger/index.ts';
import { ConfigError } from '../../model/index.ts';
import { stateOf } from '../../read/index.ts';
import type { BoundMapping } from '../inputs/inputs.ts';

/** Why a run cannot be gone on with: what it was about is not the same any more. All throw ConfigError. */

export function assertSameStore({ id, store }: KnownRun, now: string): void {
  if (store !== now)
    throw new ConfigError(`The run ${id} was for ${store}, and the settings say ${now}.`, [
      'Give the same --base-url or --profile as then.',
    ]);
}

export async function assertSameFiles({ id, files }: KnownRun): Promise<void> {
  for (const { file, path, size, sha256 } of files) {
    if (path === undefined)
      throw new ConfigError(`The run ${id} read from a pipe, which cannot be read again.`, [
        'Save the data as a file and import it: what the store has of it is not sent again.',
      ]);
    const now = await stateOf(path);
    if (now.sha256 === sha256) continue;
    const what = now.size === size ? 'other content' : `${now.size} bytes, then ${size}`;
    throw new ConfigError(`${file} has changed since the run ${id} began: it has ${what}.`, [
      'Put the file back as it was, or import it as it is now: what the store has of it is not sent again.',
    ]);
  }
}

export function assertSameMapping(
  { id, mappingName, mappingDigest }: KnownRun,
  { mapping }: Pick<BoundMapping, 'mapping'>,
): void {
  if (mapping.digest === mappingDigest) return;
  const same = resolve(mapping.name) === resolve(mappingName);
  throw new ConfigError(
    `The mapping has changed since the run ${id} began: ${same ? `${mappingName} says something else now` : `it was ${mappingName}, now it is ${mapping.name}`}.`,
    ['Put it back as it was, or import the file again: what the store has of it is not sent again.'],
  );
}
