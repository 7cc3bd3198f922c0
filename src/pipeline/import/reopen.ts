import type { KnownRun, Ledger } from '../../ledger/index.ts';
import type { Mapping } from '../../map/index.ts';
import { resolve } from '../../model/files/fs.ts';
import { ConfigError } from '../../model/index.ts';
import { stateOf } from '../../read/index.ts';
import type { Summary } from '../../report/index.ts';
import type { StoreTarget } from '../run/context.ts';
import { type LedgerOptions, ledgerOf } from '../run/options.ts';
import { refusePruned } from '../run/pruned.ts';
import { findRun } from '../run/runs.ts';

/** A reopened run. This process holds the lock of its store. */
export interface ReopenedRun {
  readonly ledger: Ledger;
  readonly run: KnownRun;
  readonly target: StoreTarget;
}

/** Reopens a run and does `work` with it. Throws ConfigError if the settings name another store, or the store is locked. */
export async function reopen(
  id: string,
  { connect, ...options }: LedgerOptions & { readonly connect: () => Promise<StoreTarget> },
  work: (reopened: ReopenedRun) => Promise<Summary>,
): Promise<Summary> {
  const target = await connect();
  const ledger = await ledgerOf(options).open();
  try {
    await ledger.lock(target.store, id);
    const run = await findRun(ledger, id);
    refusePruned(run, 'continued');
    assertSameStore(run, target.store);
    return await work({ ledger, run, target });
  } finally {
    await ledger.close();
  }
}

/** Throws ConfigError if the settings name another store than that of the run. */
export function assertSameStore({ id, store }: KnownRun, now: string): void {
  if (store !== now)
    throw new ConfigError(`The run ${id} was for ${store}, and the settings say ${now}.`, [
      'Give the same --base-url or --profile as then.',
    ]);
}

/** Throws ConfigError if a program gave the run functions, which are lost with that program. */
export function assertNoOwnRules({ id, options }: KnownRun): void {
  if (options.ownRules)
    throw new ConfigError(
      `The run ${id} was made by a program with its own transform or check, which only that program has.`,
      ['Run the import of that program again: records that the store already has are not sent again.'],
    );
}

/** Throws ConfigError if a file of the run has changed, or came from a pipe. */
export async function assertSameFiles({ id, files }: KnownRun): Promise<void> {
  for (const { file, path, size, sha256 } of files) {
    if (path === undefined)
      throw new ConfigError(`The run ${id} read from a pipe, which cannot be read again.`, [
        'Save the data as a file and import it: records that the store already has are not sent again.',
      ]);
    const now = await stateOf(path);
    if (now.sha256 === sha256) continue;
    const what = now.size === size ? 'other content' : `${now.size} bytes, then ${size}`;
    throw new ConfigError(`${file} has changed since the run ${id} began: it has ${what}.`, [
      'Put the file back as it was, or import it as it is now: records that the store already has are not sent again.',
    ]);
  }
}

/** Throws ConfigError if the mapping of the run has changed. */
export function assertSameMapping({ id, mappingName, mappingDigest }: KnownRun, mapping: Mapping): void {
  if (mapping.digest === mappingDigest) return;
  const same = resolve(mapping.name) === resolve(mappingName);
  throw new ConfigError(
    `The mapping has changed since the run ${id} began: ${same ? `${mappingName} says something else now` : `it was ${mappingName}, now it is ${mapping.name}`}.`,
    [
      'Put it back as it was, or import the file again: records that the store already has are not sent again.',
    ],
  );
}
