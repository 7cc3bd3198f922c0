import type { SourceFile } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import { PLAIN_COMMANDS } from '../../model/index.ts';
import { stateOf } from '../../read/index.ts';
import type { Summary } from '../../report/index.ts';
import {
  checkImages,
  type ImagesOfRun,
  refuseUncheckableImages,
  withImageCounts,
  withWrongImages,
} from '../images/check-images.ts';
import type { InputFile } from '../inputs/inputs.ts';
import { close, openForCommand } from '../inputs/open-inputs.ts';
import { isWorthThread } from '../reader/reader-thread.ts';
import { type StoreTarget, storeIdFrom } from '../run/context.ts';
import { limitFor, sameRefusal } from '../run/error-limit.ts';
import { runRecords } from '../run/execute.ts';
import { fileRecords, threadRecords } from '../run/file-records.ts';
import { type ImportOptions, ledgerOf } from '../run/options.ts';
import { refuseLosses, reportsFolder } from '../run/own-files.ts';
import { newRunId, newRunOf } from '../summary/facts.ts';
import { createRecordCounts } from '../summary/progress.ts';

/**
 * Imports files, from the first record to the last. Resolves with the summary, also if the run stopped early. Throws
 * ConfigError or RunStopped if it could not begin. `connect` is called after the files and the mapping were checked.
 */
export async function runImport(
  options: ImportOptions,
  connect: () => Promise<StoreTarget>,
): Promise<Summary> {
  const startedAt = new Date();
  const id = options.runId ?? newRunId(startedAt);
  const source = ledgerOf(options);
  const commands = options.reportFormat?.commands ?? PLAIN_COMMANDS;
  const isKnown = await source.hasHistory(options.resource.name);
  const opened = await openForCommand({ ...options, hasHistory: isKnown });
  const out = options.out ?? resolve(reportsFolder(id, options));
  let checked: ImagesOfRun | undefined;
  try {
    refuseLosses(options, out, opened.mapping.lookups);
    refuseUncheckableImages(options, opened);
    const target = await connect();
    const storeId = await storeIdFrom(options.resource, opened.mapping, target);
    const known = await Promise.all(opened.files.map(fileOf));
    const ledger = await source.open();
    try {
      for (const dead of await ledger.lock(target.store, id))
        options.watch.warned(
          `the run ${dead} was killed before its end. The outcomes of its records: ${commands.show(dead)}`,
        );
      checked = await checkImages(options, { inputs: opened, known, hasHistory: isKnown });
      const inputs = withWrongImages(opened, checked);
      const files = withImageCounts(known, checked);
      const { resource, mode, version, maxErrors, offset } = options;
      const { mapping, header } = inputs;
      const { store, ephemeral } = target;
      const history = ephemeral ? undefined : await ledger.history(store, resource.name);
      const counts = createRecordCounts();
      const facts = {
        ...{ id, mode, version, mapping, offset, store, startedAt, workedMs: 0, command: 'import' as const },
        resource: resource.name,
        options: options.toRepeat,
        out,
      };
      const parts = {
        command: 'import' as const,
        store,
        remembered: !ephemeral,
        files,
        header,
      };
      const reading = { options, inputs, files, storeId, history, counts, hasHistory: isKnown };
      const inThread = source.hasThreads && !options.ownRules && isWorthThread(inputs);
      return await runRecords({
        ...{ options, target, counts, facts },
        source: inThread ? await threadRecords(reading, store) : fileRecords(reading),
        limit: limitFor(maxErrors, sameRefusal()),
        open: () => ledger.begin(newRunOf(facts, parts), target.concurrency),
      });
    } finally {
      await ledger.close();
    }
  } finally {
    checked?.close();
    await close(opened);
  }
}

/** The state of a file, for `run resume` to compare. Standard input has none: it cannot be read twice. */
async function fileOf({ source, binding: { leftOut = [] } }: InputFile): Promise<SourceFile> {
  const { file } = source.table;
  const found = leftOut.length > 0 ? { file, leftOut } : { file };
  return source.size === undefined ? found : { ...found, path: resolve(file), ...(await stateOf(file)) };
}
