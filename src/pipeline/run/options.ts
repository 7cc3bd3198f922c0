import type { ImageCheckOptions } from '../../images/index.ts';
import { type LedgerSource, localLedger } from '../../ledger/index.ts';
import type { JsonObject, RecordResult } from '../../model/index.ts';
import type { ReportSettings } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { ImagesWatcher } from '../images/watcher.ts';
import type { InputsWatcher, SourceOptions } from '../inputs/inputs.ts';
import type { OwnRules } from '../prepare/options.ts';
import type { ShownRecord } from '../prepare/preview.ts';
import type { StartedRun } from '../summary/facts.ts';
import type { Progress } from '../summary/progress.ts';
import type { ExitCodeOf } from '../summary/summary.ts';
import type { CanaryRecord } from './canary.ts';
import type { MaxErrors } from './error-limit.ts';
import type { CommandFiles } from './own-files.ts';

/** The ledger of a command. */
export interface LedgerOptions {
  /** Folder of the ledger. */
  readonly home: string;
  /** The ledger, if it is not the one under `home`. A check has none. */
  readonly ledger?: LedgerSource | undefined;
}

export function ledgerOf({ home, ledger }: LedgerOptions): LedgerSource {
  return ledger ?? localLedger(home);
}

/** The options of every command that gives records outcomes. */
export interface CommandOptions extends LedgerOptions {
  readonly resource: Resource;
  /** Files that must be neither read by the run nor be its reports. */
  readonly commandFiles?: CommandFiles | undefined;
  readonly exitCodeOf: ExitCodeOf;
  /** Form of the reports; missing parts have their defaults. */
  readonly reportFormat?: Partial<ReportSettings> | undefined;
  /** Fires when the user interrupts: nothing new is begun. */
  readonly interrupted: AbortSignal;
  readonly watch: Watcher;
}

/** The options of every command that runs over source files. */
export interface RunOptions extends CommandOptions, SourceOptions {
  /** Records to skip at the beginning. */
  readonly offset: number;
  /** Records to take at most. */
  readonly limit?: number | undefined;
  /** How images are checked before all else; left out, they are not. */
  readonly checkImages?: ImageCheckOptions | undefined;
  /** Finished records to show, from the first; none if left out. Only commands that send nothing show any. */
  readonly show?: number | undefined;
}

export interface ImportOptions extends RunOptions {
  /** Id of a run that begins; left out, a new one is made. */
  readonly runId?: string | undefined;
  readonly maskContacts: boolean;
  /** Functions of the program that calls this. The files are then read in its thread. */
  readonly ownRules?: OwnRules | undefined;
  /** Left out: the run stops only if the first records are all refused in the same way. */
  readonly maxErrors?: MaxErrors | undefined;
  /** Number of records to send first. The rest is sent if the user agrees. */
  readonly canary?: number | undefined;
  /** When a run is resumed or retried: sends records also if a later run has settled them. */
  readonly overwriteNewer?: boolean | undefined;
  /** Folder of the reports; left out, one with the run's id in `runsFolder`. */
  readonly out?: string | undefined;
  /** Default: `storeport-runs` in the working directory. */
  readonly runsFolder?: string | undefined;
  readonly version: string;
  /** Arguments of the command, for the ledger: all that resuming the run needs. Nothing secret. */
  readonly toRepeat: JsonObject;
}

/** Hears of the progress of an import, for the command line. */
export interface Watcher extends InputsWatcher, ImagesWatcher {
  /** Called once, before the first record. The progress object is updated as the run proceeds. */
  started(progress: Progress): void;
  /** Called once, when the run has its id. `settled`: number of records that earlier executions settled. */
  began?(run: StartedRun, settled: number): void;
  /** Called with every record whose outcome is in INCOMPLETE; undefined if nobody listens. */
  readonly recordFailed?: ((result: RecordResult) => void) | undefined;
  /** Called with every result, in the order of the answers; undefined if nobody listens. */
  readonly recordSettled?: ((result: RecordResult) => void) | undefined;
  /** Returns a promise while whoever listens has many results to take. No record is begun until it resolves. */
  readonly room?: (() => Promise<void> | undefined) | undefined;
  /** Called at the end with the finished records to show. */
  shown?(records: readonly ShownRecord[]): void;
  /** Called with the outcomes of the canary. Resolves with true to send the rest. */
  canary(records: CanaryRecord[]): Promise<boolean>;
}
