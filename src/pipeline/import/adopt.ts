import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { openLedger, type StoreHistory } from '../../ledger/index.ts';
import {
  ConfigError,
  identifierFault,
  identifierIn,
  normalisedKey,
  type Outcome,
  type PlannedRecord,
  type Row,
} from '../../model/index.ts';
import { createKeyIndex, type IdShape, idShapeFor, type KeyIndex, skippedOutcome } from '../../plan/index.ts';
import { openSource, type Source, stateOf } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';
import {
  countEmptyRows,
  type EmptyRowCount,
  emptyRowsIn,
  nothingIn,
  withoutEmptyRows,
} from '../inputs/empty-rows.ts';
import type { RecordSource, StoreTarget } from '../run/context.ts';
import { runRecords } from '../run/execute.ts';
import { newRunId, newRunOf } from '../run/facts.ts';
import type { ImportOptions } from '../run/options.ts';
import { refuseLosses } from '../run/own-files.ts';
import { createRecordCounts } from '../run/progress.ts';
import type { Summary } from '../run/summary.ts';

export interface AdoptOptions
  extends Pick<
    ImportOptions,
    'home' | 'resource' | 'read' | 'out' | 'beside' | 'version' | 'exitCodeOf' | 'interrupted' | 'watch'
  > {
  readonly file: string;
  /** Base URL. */
  readonly store: string;
}

/**
 * Adopts records that were made by other means, from a CSV with their keys and identifiers. From then on the ledger knows
 * them as if they had been imported, except for the content of their fields. Nothing is sent. Throws ConfigError.
 */
export async function runAdopt(options: AdoptOptions): Promise<Summary> {
  const { home, resource, file, store, version, watch } = options;
  const startedAt = new Date();
  const id = newRunId(startedAt);
  const emptyRows = countEmptyRows();
  const opened = await openSource(file, {
    ...options.read,
    onWarning: ({ message }) => watch.warned(message),
  });
  const source = withoutEmptyRows(opened, emptyRows);
  try {
    const { header } = source.table;
    const columns = columnsIn(header, file, resource);
    const state = source.size === undefined ? undefined : { path: resolve(file), ...(await stateOf(file)) };
    if (state) source.expect?.(state.sha256);
    const out = options.out ?? resolve('storeport-runs', id);
    refuseLosses({ beside: options.beside, files: [file] }, out);
    const mapping = { name: columns.names.join(' and '), digest: digestOf(columns.names) };
    const ledger = openLedger(home);
    try {
      ledger.lock(store, id);
      const { lookup, ids } = ledger.history(store, resource.name);
      const shape = idShapeFor(resource, ids);
      const counts = createRecordCounts();
      const files = [{ file, ...state }];
      const run = { id, resource: resource.name, mode: 'adopt', out, version, mapping, startedAt };
      const facts = { ...run, command: 'adopt' as const, store, offset: 0, workedMs: 0 };
      const begun = { command: 'adopt' as const, store, remembered: true, files, header, options: {} };
      const pairs: RecordSource = {
        header,
        records: () =>
          planPairs(source, columns, {
            ...{ lookup, home, shape, emptyRows, onPrepared: counts.onPrepared, onWarning: watch.warned },
          }),
        progress: { count: counts, part: () => source.size && source.bytesRead() / source.size },
        files: () => files.map((each) => ({ ...each, ...emptyRowsIn(emptyRows) })),
      };
      return await runRecords({
        ...{ options, source: pairs, counts, facts },
        target: { store, ephemeral: false, client: NO_CLIENT, concurrency: 1 },
        open: () => ledger.begin(newRunOf(facts, begun), 1),
      });
    } finally {
      ledger.close();
    }
  } finally {
    await source.close();
  }
}

const NO_CLIENT: StoreTarget['client'] = {
  authenticate: () => Promise.reject(new Error('adopting asks no store')),
  deliver: () => Promise.reject(new Error('adopting sends nothing')),
  // No request is waiting.
  stop: () => {},
};

interface PairColumns {
  readonly names: readonly [key: string, id: string];
  readonly key: number;
  readonly id: number;
}

/** The name of the column in results.csv. */
const RESULT_KEY = 'key';

/** Finds the two columns by their names in the native form or in results.csv. Throws ConfigError. */
function columnsIn(header: readonly string[], file: string, { name, key = [] }: Resource): PairColumns {
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
  return { names: [header[keyAt] ?? '', header[idAt] ?? ''], key: keyAt, id: idAt };
}

/** Gives each pair its outcome. Nothing is sent. */
async function* planPairs(
  source: Source,
  columns: PairColumns,
  options: {
    readonly home: string;
    readonly lookup: StoreHistory['lookup'];
    /** The shape of the store's identifiers. */
    readonly shape: IdShape;
    readonly emptyRows: EmptyRowCount;
    readonly onWarning: (message: string) => void;
    readonly onPrepared: (records: number) => void;
  },
): AsyncGenerator<PlannedRecord[]> {
  const taken = { keys: createKeyIndex(options.home), ids: createKeyIndex(options.home) };
  let seq = 0;
  let unlike = 0;
  let example: Pair | undefined;
  try {
    for await (const rows of source.batches) {
      const pairs = rows.map((row) => pairIn(row, columns));
      const known = options.lookup?.(pairs.map(({ key }) => normalisedKey(key)));
      options.onPrepared(rows.length);
      yield pairs.map((pair): PlannedRecord => {
        const before = known?.get(normalisedKey(pair.key))?.id;
        const outcome = outcomeOf(pair, before, columns, taken);
        if (outcome.outcome === 'unchanged' && !options.shape.holds(pair.id)) {
          unlike++;
          example ??= pair;
        }
        return { record: { seq: seq++, rows: [pair.row] }, key: pair.key, outcome };
      });
    }
    const nothing = nothingIn(source, options.emptyRows);
    if (nothing !== undefined) options.onWarning(nothing);
    if (example)
      options.onWarning(
        `identifiers of this store are ${options.shape.words}, and ${unlike} of these are not, such as "${example.id}" in row ${example.row.row}. They were taken all the same.`,
      );
  } finally {
    taken.keys.close();
    taken.ids.close();
  }
}

interface Pair {
  readonly row: Row;
  readonly key: string;
  readonly id: string;
}

function pairIn(row: Row, { key, id }: PairColumns): Pair {
  return { row, key: identifierIn(row, key), id: identifierIn(row, id) };
}

function outcomeOf(
  { row, key, id }: Pair,
  known: string | undefined,
  { names }: PairColumns,
  taken: { readonly keys: KeyIndex; readonly ids: KeyIndex },
): Outcome {
  const [issue] = row.issues ?? [];
  if (issue) return skippedOutcome('invalid', issue.code, issue.message);
  for (const [value, name] of [
    [key, names[0]],
    [id, names[1]],
  ] as const)
    if (value === '')
      return skippedOutcome('invalid', 'required', `column "${name}": the cell is empty; a pair needs both`);
  const fault = identifierFault(id);
  if (fault !== undefined)
    return skippedOutcome('invalid', 'not-an-id', `column "${names[1]}": "${id}" is no identifier: ${fault}`);
  const keyBefore = taken.keys.claim(normalisedKey(key), row.row);
  if (keyBefore !== undefined)
    return skippedOutcome('duplicate', 'duplicate-key', `"${key}" stands in row ${keyBefore} already`);
  const idBefore = taken.ids.claim(id, row.row);
  if (idBefore !== undefined)
    return skippedOutcome(
      'invalid',
      'duplicate-id',
      `the identifier ${id} stands in row ${idBefore} already, for another key`,
    );
  if (known === id) return skippedOutcome('unchanged', 'known-key', 'the ledger knows this pair already', id);
  return skippedOutcome(
    'unchanged',
    undefined,
    known === undefined ? undefined : `it was known as ${known} before`,
    id,
  );
}

function digestOf(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex');
}
