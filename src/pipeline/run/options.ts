import type { JsonObject, RecordResult } from '../../model/index.ts';
import type { InputsWatcher, OpenInputsOptions } from '../inputs/inputs.ts';
import type { CanaryRecord } from './canary.ts';
import type { MaxErrors } from './error-limit.ts';
import type { RunFacts } from './facts.ts';
import type { BesideFiles } from './own-files.ts';
import type { Progress } from './progress.ts';
import type { ExitCodeOf } from './summary.ts';

export interface ImportOptions
  extends Omit<OpenInputsOptions, 'onWarning' | 'interrupted' | 'from' | 'hasHistory'> {
  /** Folder of the ledger. */
  readonly home: string;
  readonly offset: number;
  readonly limit?: number | undefined;
  readonly maskContacts: boolean;
  /** Left out: only a refusal of all the first records stops the run. */
  readonly maxErrors?: MaxErrors | undefined;
  /** Send that many records first, and ask before the rest. */
  readonly canary?: number | undefined;
  /** Folder of the reports; left out, `storeport-runs/<run id>`. */
  readonly out?: string | undefined;
  /** Must be no file that the run reads, and no report of it. */
  readonly beside?: BesideFiles | undefined;
  readonly version: string;
  /** What the command was given, for the ledger: all it takes to go on with the run. Nothing secret. */
  readonly toRepeat: JsonObject;
  readonly exitCodeOf: ExitCodeOf;
  /** Fires when the user interrupts: nothing new is begun. */
  readonly interrupted: AbortSignal;
  readonly watch: Watcher;
}

/** What an import says while it runs; the command line makes lines of it. */
export interface Watcher extends InputsWatcher {
  /** Once, when records begin to flow; the numbers in it change as they do. */
  started(progress: Progress): void;
  /** Once, when the run has its id. `settled`: records that earlier executions of it have settled. */
  began?(run: Pick<RunFacts, 'id' | 'command' | 'mode' | 'store' | 'mapping' | 'out'>, settled: number): void;
  /** Called with every record that ends in an outcome of INCOMPLETE. Absent where nobody listens. */
  readonly recordFailed?: ((end: RecordResult) => void) | undefined;
  /** With `canary`: shows what became of the first records; resolves with whether to go on. */
  canary(records: CanaryRecord[]): Promise<boolean>;
}
