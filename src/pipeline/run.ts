import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { SourceFile } from '../ledger/index.ts';
import type { JsonObject, OutcomeWord, Settled, StopReason } from '../model/index.ts';
import { refuseOverwriting } from '../write/index.ts';
import type { CanaryRecord } from './canary.ts';
import type { Count } from './count.ts';
import { emptyRowsIn } from './empty-rows.ts';
import type { MaxErrors } from './error-limit.ts';
import { type BesideFiles, filesRead, reportsIn } from './own-files.ts';
import { type Input, type Inputs, type OpenInputsOptions, openInputs } from './sources.ts';
import type { StageOptions } from './stages.ts';
import type { RunFacts } from './summary.ts';
import { warningsOf } from './warnings.ts';

/** The exit code of a run that ended so. */
export type ExitCodeOf = (
  outcomes: Readonly<Partial<Record<OutcomeWord, number>>>,
  stopped?: StopReason,
) => number;

export interface ImportOptions
  extends Omit<OpenInputsOptions, 'onWarning' | 'interrupted' | 'from' | 'anythingKnown'> {
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
export interface Watcher {
  /** Files are open and the mapping is known; nothing was sent. */
  opened(inputs: Inputs): void;
  /** About the file: of its header before the first record, of its rows after the last. */
  warned(message: string): void;
  /** Once, when records begin to flow; the numbers in it change as they do. */
  started(progress: Progress): void;
  /** Once, when the run has its id. `settled`: records that earlier executions of it have settled. */
  began?(run: Pick<RunFacts, 'id' | 'command' | 'mode' | 'store' | 'mapping' | 'out'>, settled: number): void;
  /** Called with every record that ends in an outcome of INCOMPLETE. Absent where nobody listens. */
  readonly recordFailed?: ((end: Settled) => void) | undefined;
  /** With `canary`: shows what became of the first records; resolves with whether to go on. */
  canary(records: CanaryRecord[]): Promise<boolean>;
}

export interface Progress {
  readonly count: Count;
  /** How much of what is to be done is done, 0 to 1; undefined where nobody knows how much that is. */
  part(): number | undefined;
  /** Records that an earlier process settled, and that `part` counts as done; left out: none. */
  readonly before?: number;
}

/** A name for a run. Sorts by time, and is short enough to be typed: 20261121-093012-a1b2. */
export function newRunId(startedAt: Date): string {
  const stamp = startedAt.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}

/** Throws ConfigError where a run would write over what it reads. `out`: the folder of its reports. */
export function refuseLosses(
  { files, mapping, beside }: Pick<ImportOptions, 'files' | 'mapping' | 'beside'>,
  out: string,
  lookups?: Inputs['mapping']['lookups'],
): void {
  refuseOverwriting(
    [...reportsIn(out), ...(beside?.written ?? [])],
    [...filesRead({ files, mapping }, lookups), ...(beside?.read ?? [])],
    beside?.home,
  );
}

/** Opens the files of a run, and says what is to be said about them before it begins. */
export async function open(
  options: Omit<OpenInputsOptions, 'onWarning'> & Pick<ImportOptions, 'watch'>,
): Promise<Inputs> {
  const inputs = await openInputs({
    ...options,
    onWarning: ({ origin, message }) =>
      options.watch.warned(origin && options.files.length > 1 ? `${origin.file}: ${message}` : message),
  });
  options.watch.opened(inputs);
  for (const warning of warningsOf(options, inputs)) options.watch.warned(warning);
  return inputs;
}

export function stageOptions(
  options: Pick<ImportOptions, 'resource' | 'mode' | 'offset' | 'limit' | 'maskContacts' | 'home' | 'watch'>,
  dryRun: boolean,
  { onPlanned, onGiven }: Pick<Count, 'onPlanned' | 'onGiven'>,
  storeId?: string,
): Omit<StageOptions, 'onMark' | 'goOn' | 'knowledge'> {
  const { resource, mode, offset, limit } = options;
  const fromSettings = resource.fromSettings?.includes('storeId') && storeId !== undefined ? { storeId } : {};
  return {
    resource,
    mode,
    dryRun,
    offset,
    limit,
    maskContacts: options.maskContacts,
    fromSettings,
    onPlanned,
    onGiven,
    onWarning: options.watch.warned,
    // The folder of the ledger is there by then; a check has no ledger.
    spillFolder: dryRun ? tmpdir() : options.home,
  };
}

export function progressOf(
  { inputs }: Inputs,
  count: Count,
  { offset, limit = Number.POSITIVE_INFINITY }: Pick<ImportOptions, 'offset' | 'limit'>,
): Progress {
  const sizes = inputs.map(({ source }) => source.size);
  const bytes = sizes.includes(undefined)
    ? undefined
    : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return {
    count,
    before: count.records,
    part() {
      if (count.planned === 0) return undefined;
      const read = inputs.reduce((sum, { source }) => sum + source.bytesRead(), 0);
      // As many records as all bytes hold, if the rest is like what was read; those that are passed over are no work.
      const all = bytes
        ? (offset + count.planned) / ((read / bytes) * count.given)
        : Number.POSITIVE_INFINITY;
      const wanted = Math.min(limit, Math.max(count.planned, all - offset));
      return wanted === Number.POSITIVE_INFINITY ? undefined : Math.min(1, count.records / wanted);
    },
  };
}

/** The files with what is known of them; one that was not read to its end may have no digest. */
export function sourceFiles(
  inputs: readonly Input[],
  { offset, limit }: Pick<ImportOptions, 'offset' | 'limit'>,
  known: readonly SourceFile[] = [],
): SourceFile[] {
  // A part of a file does not tell what holds in the rest.
  const isPart = offset > 0 || limit !== undefined;
  return inputs.map(({ source, binding, skipped, emptyRows, suspicions, mappingWarnings, missed }, index) => {
    const sha256 = known[index]?.sha256 ?? source.digest();
    const suspicious = suspicions.all();
    const warnings = mappingWarnings.all();
    const rules = isPart ? [] : binding.ruleUses();
    return {
      file: source.table.file,
      ...known[index],
      reading: source.reading(),
      ...(sha256 === undefined ? {} : { sha256 }),
      ...(binding.isSkipped ? { skippedRows: skipped.rows } : {}),
      ...emptyRowsIn(emptyRows),
      ...(binding.unused.length > 0 ? { unused: binding.unused } : {}),
      ...(missed && missed.length > 0 ? { missed } : {}),
      ...(suspicious.length > 0 ? { suspicious } : {}),
      ...(rules.length > 0 ? { rules } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  });
}

export async function close({ inputs }: Inputs): Promise<void> {
  await Promise.all(inputs.map(({ source }) => source.close()));
}
