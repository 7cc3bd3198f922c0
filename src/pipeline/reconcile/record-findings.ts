import type { Amendment, Holder, Ledger, Released } from '../../ledger/index.ts';
import {
  ConfigError,
  normalisedKey,
  PLAIN_COMMANDS,
  placeWords,
  type RunCommands,
} from '../../model/index.ts';
import { idShapeFor, keyNormaliser } from '../../plan/index.ts';
import { RESOURCES, resourceNamed } from '../../resources/index.ts';
import { findRun } from '../run/runs.ts';
import { type Doubtful, doubtfulOf, type Finding, type OpenDoubts } from './doubts.ts';

/** Findings that the ledger has. The reports do not have them yet. */
export interface RecordedFindings {
  /** Ids of the runs whose reports have the records: the run itself, those that re-imported one, and those that one held back. */
  readonly runs: readonly string[];
  /** Findings that were recorded. */
  readonly found: ReadonlyMap<Doubtful, Finding>;
  /** Messages about findings that were not recorded, since the identifier is that of another record. */
  readonly refused: readonly string[];
  /** Records of later runs that were held back by these doubts, and can be sent now. */
  readonly released: readonly Released[];
  /** Warnings about recorded findings that are probably unintended. */
  readonly warnings: readonly string[];
}

/**
 * Locks a run's store and records the findings of `work` about its records in doubt. Throws ConfigError, also if every finding was
 * refused; nothing is recorded then.
 */
export async function recordFindings(
  ledger: Ledger,
  { name, commands = PLAIN_COMMANDS }: { readonly name: string; readonly commands?: RunCommands | undefined },
  work: (doubts: OpenDoubts) => Promise<ReadonlyMap<Doubtful, Finding>>,
): Promise<RecordedFindings> {
  const { id, store } = await findRun(ledger, name);
  await ledger.lock(store, id);
  const run = await findRun(ledger, id);
  const doubts = { ledger, run, doubtful: await doubtfulOf(ledger, run) };
  const { sound: found, refused } = await withoutForeignIds(await work(doubts), doubts);
  if (refused.length > 0 && found.size === 0)
    throw new ConfigError(refused.join('\n'), [
      'Each record has an identifier of its own: look in the store once more. Nothing was changed.',
    ]);
  const released = await ledger.amend([...found].map(([record, finding]) => amendment(record, finding)));
  const runs = new Set([id, ...[...found].map(([record]) => record.run), ...released.map(({ run }) => run)]);
  const warnings = await unusualIdWarnings(found, doubts, commands);
  return { runs: [...runs], found, refused, released, warnings };
}

/** Leaves out identifiers that belong to a record with another key: an update of one would change the other. */
async function withoutForeignIds(
  found: ReadonlyMap<Doubtful, Finding>,
  { ledger, run }: OpenDoubts,
): Promise<{ readonly sound: ReadonlyMap<Doubtful, Finding>; readonly refused: string[] }> {
  const ids = [...found.values()].flatMap((finding) => (finding === 'not-there' ? [] : [finding.id]));
  if (ids.length === 0) return { sound: found, refused: [] };
  const { lookup } = await ledger.history(run.store, run.resource);
  const holders = await ledger.holders(run, ids);
  const now = await lookup?.(holders.map(({ key }) => normalisedKey(key)));
  // An earlier identifier of a key is out of date once the key has another.
  const current = holders.filter(({ key, id }) => key === '' || now?.get(normalisedKey(key))?.id === id);
  const normalise = keyNormaliser(resourceNamed(run.resource));
  const isOf = ({ key, ref }: Holder, record: Doubtful) =>
    ref.join() === record.ref.join() || (key !== '' && normalise(key) === normalise(record.key));
  const sound = new Map(found);
  const refused: string[] = [];
  for (const [record, finding] of found) {
    if (finding === 'not-there') continue;
    const holder = current.find((each) => each.id === finding.id && !isOf(each, record));
    if (!holder) continue;
    sound.delete(record);
    refused.push(
      `The identifier ${finding.id} is already that of "${holder.key}" (run ${holder.run}, row ${holder.row}), so it cannot be that of "${record.key}" (${placeWords(record)}) too.`,
    );
  }
  return { sound, refused };
}

/** Warns of identifiers that do not look like those of the store. */
async function unusualIdWarnings(
  found: ReadonlyMap<Doubtful, Finding>,
  { ledger, run }: OpenDoubts,
  { adopt }: RunCommands,
): Promise<string[]> {
  const resource = RESOURCES.find(({ name }) => name === run.resource);
  if (!resource) return [];
  const { ids } = await ledger.history(run.store, run.resource);
  const shape = idShapeFor(resource, ids);
  return [...found].flatMap(([{ key }, finding]) =>
    finding === 'not-there' || shape.holds(finding.id)
      ? []
      : [
          `identifiers of this store are ${shape.words}; that of "${key}" was recorded as ${finding.id}. If that is wrong, record the right one. How: ${adopt()}`,
        ],
  );
}

function amendment({ ref: [run, seq], code }: Doubtful, finding: Finding): Amendment {
  const was = `was in doubt (${code})`;
  return finding === 'not-there'
    ? {
        ...{ run, seq },
        outcome: {
          outcome: 'failed',
          code: 'not-there',
          message: `${was}, and is not in the store: a retry sends it`,
        },
      }
    : {
        run,
        seq,
        outcome: { outcome: 'created', id: finding.id, message: `${was}, and was found in the store` },
      };
}
