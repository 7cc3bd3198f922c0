import { tmpdir } from 'node:os';
import type { LedgerSource } from '../../ledger/index.ts';
import type { ReportSettings } from '../../report/index.ts';
import type { InputsWatcher } from '../inputs/inputs.ts';
import type { PrepareOptions } from './options.ts';

/** The options of a command that `prepareRecords` needs. */
export interface PreparingOptions
  extends Pick<PrepareOptions, 'resource' | 'mode' | 'offset' | 'limit' | 'maskContacts' | 'ownRules'> {
  /** Folder of the ledger. */
  readonly home: string;
  /** The ledger, if it is not the one under `home`. */
  readonly ledger?: LedgerSource | undefined;
  readonly watch: Pick<InputsWatcher, 'warned'>;
  readonly reportFormat?: Partial<Pick<ReportSettings, 'commands'>> | undefined;
}

/** The part of the options of `prepareRecords` that every command has. */
export function prepareOptions({
  options: { resource, mode, offset, limit, maskContacts, ownRules, home, ledger, watch, reportFormat },
  counts: { onPrepared, onDrained },
  storeId,
  dryRun,
}: {
  readonly options: PreparingOptions;
  readonly counts: Pick<PrepareOptions, 'onPrepared' | 'onDrained'>;
  readonly storeId?: string | undefined;
  readonly dryRun: boolean;
}): PrepareOptions {
  const needsStoreId = resource.fromSettings?.includes('storeId');
  return {
    ...{ resource, mode, dryRun, offset, limit, maskContacts, ownRules, onPrepared, onDrained },
    fromSettings: needsStoreId && storeId !== undefined ? { storeId } : {},
    onWarning: watch.warned,
    commands: reportFormat?.commands,
    // The folder of the ledger exists by then. A check has no ledger, and others have no folder.
    spillFolder: dryRun || ledger ? tmpdir() : home,
  };
}
