import { resolve } from 'node:path';
import { type KnownRun, openLedger } from '../ledger/index.ts';
import { ConfigError, type Settled } from '../model/index.ts';
import { createPlanner, type Planner } from '../plan/index.ts';
import { stateOf } from '../read/index.ts';
import { type Delivering, execute, storeIdFrom } from './execute.ts';
import { reportRun } from './report.ts';
import { close, type ImportOptions, open } from './run.ts';
import { findRun } from './runs.ts';
import { type Inputs, openInputs } from './sources.ts';
import { groupingOf } from './stages.ts';
import { factsOf, type Summary } from './summary.ts';
import { createTally, type Tally } from './tally.ts';

/**
 * Goes on with a run where it stopped: what is settled stays, what was read and not sent, or not read at all, is sent.
 * Throws ConfigError where the files, the mapping or the store are not the same any more.
 */
export async function resumeRun(
  id: string,
  options: ImportOptions,
  connect: () => Promise<Delivering>,
): Promise<Summary> {
  const to = await connect();
  const ledger = openLedger(options.home);
  try {
    ledger.lock(to.store, id);
    const run = findRun(ledger, id);
    refuseOtherStore(run, to.store);
    if (run.state === 'done') return await reportRun(ledger, run, options.exitCodeOf);
    await refuseChangedFiles(run);
    const looked = await lookAt(run, options);
    const { resource, mode, offset } = options;
    const planner = createPlanner({ resource, mode, dryRun: false, grouping: looked.grouping });
    const tally = createTally();
    const { first, isSettled } = doneBefore(ledger.settled(run), offset, { tally, planner });
    // Where groups have keys of their own, those that were read before are read again, to know when one comes back.
    const from = looked.grouping === 'by-other' ? undefined : ledger.markBefore(run, first);
    const inputs = await open({ ...options, from, anythingKnown: true });
    try {
      const goOn = { from, isSettled, planner };
      return await execute({
        ...{ options, inputs, to, tally, goOn },
        lookup: ledger.lookup(to.store, run.resource),
        files: run.files,
        storeId: await storeIdFrom(options, inputs, to),
        facts: factsOf(run),
        open: () => ledger.reopen(run, to.concurrency),
      });
    } finally {
      await close(inputs);
    }
  } finally {
    ledger.close();
  }
}

/** A record that was read and then not sent, since the run stopped. What the API cannot do stays undone. */
function isOpen({ outcome: { outcome, code } }: Settled): boolean {
  return outcome === 'unsent' && code !== 'no-update';
}

/** Which records are settled for good, and the first that is not. Tally and planner are told of them. */
function doneBefore(
  settled: Iterable<Settled>,
  offset: number,
  { tally, planner }: { readonly tally: Tally; readonly planner: Planner },
) {
  // All below `first` are; above it only some, those that were in flight together.
  let first = offset;
  const beyond = new Set<number>();
  for (const end of settled) {
    if (isOpen(end)) continue;
    tally.onPlanned(1);
    tally.add(end.outcome, end.row);
    planner.know(end);
    if (end.seq === first) first++;
    else beyond.add(end.seq);
  }
  return { first, isSettled: (seq: number) => (seq >= offset && seq < first) || beyond.has(seq) };
}

/** Opens the files once, to see whether they still mean the same. */
async function lookAt(run: KnownRun, options: ImportOptions) {
  const inputs = await openInputs({ ...options, onWarning: () => {}, anythingKnown: true });
  await close(inputs);
  refuseChangedMapping(run, inputs);
  return { grouping: groupingOf(inputs, options) };
}

function refuseOtherStore({ id, store }: KnownRun, now: string): void {
  if (store !== now)
    throw new ConfigError(`The run ${id} was for ${store}, and the settings say ${now}.`, [
      'Give the same --base-url or --profile as then.',
    ]);
}

async function refuseChangedFiles({ id, files }: KnownRun): Promise<void> {
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

function refuseChangedMapping({ id, mappingName, mappingDigest }: KnownRun, { mapping }: Inputs): void {
  if (mapping.digest === mappingDigest) return;
  const same = resolve(mapping.name) === resolve(mappingName);
  throw new ConfigError(
    `The mapping has changed since the run ${id} began: ${same ? `${mappingName} says something else now` : `it was ${mappingName}, now it is ${mapping.name}`}.`,
    ['Put it back as it was, or import the file again: what the store has of it is not sent again.'],
  );
}
