import { createHash } from 'node:crypto';
import type { StoreHistory } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import {
  ConfigError,
  countryNamed,
  identifierFault,
  identifierIn,
  type JsonObject,
  normalisedKey,
  type Outcome,
  type PlannedRecord,
  type Row,
} from '../../model/index.ts';
import {
  createKeyIndex,
  type IdShape,
  idShapeFor,
  type KeyIndex,
  keyNormaliser,
  nationalKey,
  skippedOutcome,
} from '../../plan/index.ts';
import type { FormatOptions } from '../../read/index.ts';
import { openSource, type Source, stateOf } from '../../read/index.ts';
import type { Summary } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import {
  countEmptyRows,
  type EmptyRowCount,
  emptyRowsIn,
  noRecordsWarning,
  withoutEmptyRows,
} from '../inputs/empty-rows.ts';
import { leftOutIn } from '../inputs/source-files.ts';
import { readyRecords } from '../prepare/ready-records.ts';
import type { RecordSource, StoreTarget } from '../run/context.ts';
import { runRecords } from '../run/execute.ts';
import { type CommandOptions, ledgerOf } from '../run/options.ts';
import { refuseLosses, reportsFolder } from '../run/own-files.ts';
import { newRunId, newRunOf } from '../summary/facts.ts';
import { createRecordCounts } from '../summary/progress.ts';

export interface AdoptOptions extends CommandOptions {
  readonly file: string;
  readonly read: FormatOptions;
  /** Code of the country of phone numbers in rows that name none; ISO 3166-1. */
  readonly country?: string | undefined;
  /** Opens what is read for the file name `-`. */
  readonly stdin?: (() => NodeJS.ReadableStream) | undefined;
  /** Folder of the reports; undefined for `storeport-runs/<run id>`. */
  readonly out?: string | undefined;
  readonly version: string;
  /** Arguments of the command that its reports need, for the ledger. */
  readonly toRepeat: JsonObject;
  /** Base URL. */
  readonly store: string;
}

/**
 * Adopts records that were made by other means, from a CSV with their keys and identifiers. From then on the ledger knows
 * them as if they had been imported, except for the content of their fields. Nothing is sent. Throws ConfigError.
 */
export async function runAdopt(options: AdoptOptions): Promise<Summary> {
  const { resource, file, store, version, watch } = options;
  const startedAt = new Date();
  const id = newRunId(startedAt);
  const emptyRows = countEmptyRows();
  const opened = await openSource(file, {
    ...options.read,
    stdin: options.stdin,
    onWarning: ({ message }) => watch.warned(message),
  });
  const source = withoutEmptyRows(opened, emptyRows);
  try {
    const { header } = source.table;
    const columns = columnsIn(header, file, resource);
    const state = source.size === undefined ? undefined : { path: resolve(file), ...(await stateOf(file)) };
    if (state) source.expect?.(state.sha256);
    const out = options.out ?? resolve(reportsFolder(id));
    refuseLosses({ commandFiles: options.commandFiles, files: [file] }, out);
    const mapping = { name: columns.names.join(' and '), digest: digestOf(columns.names) };
    const ledger = await ledgerOf(options).open();
    try {
      await ledger.lock(store, id);
      const { lookup, ids } = await ledger.history(store, resource.name);
      const shape = idShapeFor(resource, ids);
      const counts = createRecordCounts();
      const files = [{ file, ...state }];
      const run = { id, resource: resource.name, mode: 'adopt', out, version, mapping, startedAt };
      const facts = {
        ...{ ...run, command: 'adopt' as const, store, offset: 0, workedMs: 0 },
        options: options.toRepeat,
      };
      const parts = {
        command: 'adopt' as const,
        store,
        remembered: true,
        files,
        header,
      };
      const pairs: RecordSource = {
        header,
        records: () =>
          readyRecords(
            planPairs(source, columns, {
              ...{ resource, country: options.country, lookup, shape, emptyRows },
              ...{ onPrepared: counts.onPrepared, onWarning: watch.warned },
            }),
            { resource, namesFiles: false },
          ),
        progress: { count: counts, part: () => source.size && source.bytesRead() / source.size },
        files: async () =>
          files.map((each) => ({ ...each, ...leftOutIn(source), ...emptyRowsIn(emptyRows) })),
      };
      return await runRecords({
        ...{ options, source: pairs, counts, facts },
        target: { store, ephemeral: false, client: NO_CLIENT, concurrency: 1 },
        open: () => ledger.begin(newRunOf(facts, parts), 1),
      });
    } finally {
      await ledger.close();
    }
  } finally {
    await source.close();
  }
}

const NO_CLIENT: StoreTarget['client'] = {
  authenticate: () => Promise.reject(new Error('adopting asks no store')),
  deliver: () => Promise.reject(new Error('adopting sends nothing')),
  // No request is waiting.
  holdsSecret: () => false,
  stop: () => {},
};

interface PairColumns {
  readonly names: readonly [key: string, id: string];
  readonly key: number;
  readonly id: number;
  /** Of the country in which a phone number is dialled; -1 if there is none. */
  readonly country: number;
}

/** The name of the column in results.csv. */
const RESULT_KEY = 'key';

/** Finds the two columns by their names in the native form or in results.csv. Throws ConfigError. */
function columnsIn(
  header: readonly string[],
  file: string,
  { name, key = [], phoneKey }: Resource,
): PairColumns {
  const place = (names: readonly string[]) =>
    names.map((each) => header.findIndex((column) => column.trim() === each)).find((at) => at >= 0) ?? -1;
  const keys = [...key, '_key', RESULT_KEY];
  const ids = ['_id', 'id'];
  const [keyAt, idAt] = [place(keys), place(ids)];
  const missing = [keyAt < 0 ? keys : undefined, idAt < 0 ? ids : undefined].flatMap((names) =>
    names ? [`Missing: ${names.map((each) => `"${each}"`).join(' or ')}.`] : [],
  );
  if (missing.length > 0)
    throw new ConfigError(
      `${file} does not have a column for the key and one for the identifier of ${name}.`,
      missing,
    );
  const country = phoneKey ? place([[...phoneKey.country, 'code'].join('.')]) : -1;
  return { names: [header[keyAt] ?? '', header[idAt] ?? ''], key: keyAt, id: idAt, country };
}

/** Gives each pair its outcome. Nothing is sent. */
async function* planPairs(
  source: Source,
  columns: PairColumns,
  options: {
    readonly resource: Resource;
    /** Country of phone numbers in rows that name none. */
    readonly country: string | undefined;
    readonly lookup: StoreHistory['lookup'];
    /** The shape of the store's identifiers. */
    readonly shape: IdShape;
    readonly emptyRows: EmptyRowCount;
    readonly onWarning: (message: string) => void;
    readonly onPrepared: (records: number) => void;
  },
): AsyncGenerator<PlannedRecord[]> {
  const claimed = { keys: createKeyIndex(), ids: createKeyIndex() };
  const normalise = keyNormaliser(options.resource);
  const outcomeOf = createPairCheck(columns, claimed, normalise);
  /** The ledger may have the key in the spelling of an earlier file. */
  const spellingsOf = ({ key, written }: Pair) => [normalise(key), normalisedKey(written)];
  let seq = 0;
  let unlike = 0;
  let example: Pair | undefined;
  for await (const rows of source.batches) {
    const pairs = rows.map((row) => pairIn(row, columns, options));
    const known = await options.lookup?.([...new Set(pairs.flatMap(spellingsOf))]);
    options.onPrepared(rows.length);
    yield pairs.map((pair): PlannedRecord => {
      const knownId = spellingsOf(pair).flatMap((key) => known?.get(key)?.id ?? [])[0];
      const outcome = outcomeOf(pair, knownId);
      if (outcome.outcome === 'unchanged' && !options.shape.holds(pair.id)) {
        unlike++;
        example ??= pair;
      }
      return { record: { seq: seq++, rows: [pair.row] }, key: pair.key, outcome };
    });
  }
  const warning = noRecordsWarning(source, options.emptyRows);
  if (warning !== undefined) options.onWarning(warning);
  if (example)
    options.onWarning(
      `identifiers of this store are ${options.shape.words}, and ${unlike} of these are not, such as "${example.id}" in row ${example.row.row}. They were adopted anyway: check them in the store.`,
    );
}

interface Pair {
  readonly row: Row;
  /** A phone number without the code of its country is in E.164, if the country is known. */
  readonly key: string;
  /** As the file has it. */
  readonly written: string;
  readonly id: string;
}

/** Keys and identifiers of earlier rows. */
interface ClaimedPairs {
  readonly keys: KeyIndex;
  readonly ids: KeyIndex;
}

function pairIn(
  row: Row,
  { key, id, country: countryAt }: PairColumns,
  { resource, country }: { readonly resource: Resource; readonly country: string | undefined },
): Pair {
  const written = identifierIn(row, key);
  const named = countryAt < 0 ? '' : identifierIn(row, countryAt);
  const national = resource.phoneKey && nationalKey(written, named === '' ? country : countryNamed(named));
  return { row, key: national ?? written, written, id: identifierIn(row, id) };
}

/** Returns the outcome of a pair. `known`: the identifier that the ledger has for its key. */
type PairCheck = (pair: Pair, known: string | undefined) => Outcome;

function createPairCheck(
  { names: [keyName, idName] }: PairColumns,
  claimed: ClaimedPairs,
  normalise: (key: string) => string,
): PairCheck {
  return ({ row, key, id }, known) => {
    const [issue] = row.issues ?? [];
    if (issue) return skippedOutcome('invalid', issue);
    const empty = key === '' ? keyName : id === '' ? idName : undefined;
    if (empty !== undefined) {
      const message = `column "${empty}": the cell is empty; a pair needs both`;
      return skippedOutcome('invalid', { code: 'required', message });
    }
    const fault = identifierFault(id);
    if (fault !== undefined) {
      const message = `column "${idName}": "${id}" is not an identifier: ${fault}`;
      return skippedOutcome('invalid', { code: 'not-an-id', message });
    }
    const keyBefore = claimed.keys.claim(normalise(key), row.row);
    if (keyBefore !== undefined) {
      const message = `"${key}" is already in row ${keyBefore}`;
      return skippedOutcome('duplicate', { code: 'duplicate-key', message });
    }
    const idBefore = claimed.ids.claim(id, row.row);
    if (idBefore !== undefined) {
      const message = `the identifier ${id} is already in row ${idBefore}, with another key`;
      return skippedOutcome('invalid', { code: 'duplicate-id', message });
    }
    if (known === id)
      return skippedOutcome('unchanged', {
        code: 'known-key',
        message: 'the ledger knows this pair already',
        id,
      });
    return skippedOutcome('unchanged', {
      message: known === undefined ? undefined : `it was known as ${known} before`,
      id,
    });
  };
}

function digestOf(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex');
}
