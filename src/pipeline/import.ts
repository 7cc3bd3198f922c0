import { resolve } from 'node:path';
import { knowsAny, openLedger, type SourceFile } from '../ledger/index.ts';
import { stateOf } from '../read/index.ts';
import { limitOf, sameRefusal } from './error-limit.ts';
import { type Delivering, execute, storeIdFrom } from './execute.ts';
import { fromFiles } from './from-files.ts';
import { close, type ImportOptions, newRunId, open } from './run.ts';
import type { Input } from './sources.ts';
import type { Summary } from './summary.ts';
import { createTally } from './tally.ts';

/**
 * One import, from the first record to the last. Resolves with the summary also when the run stopped early; throws
 * ConfigError or RunStopped when it did not even begin. `connect` is called once the files and the mapping are known to
 * be good.
 */
export async function runImport(
  options: ImportOptions,
  connect: () => Promise<Delivering>,
): Promise<Summary> {
  const startedAt = new Date();
  const id = newRunId(startedAt);
  const anythingKnown = knowsAny(options.home, options.resource.name);
  const inputs = await open({ ...options, anythingKnown });
  try {
    const to = await connect();
    const storeId = await storeIdFrom(options, inputs, to);
    const files = await Promise.all(inputs.inputs.map(fileOf));
    const ledger = openLedger(options.home);
    try {
      ledger.lock(to.store, id);
      const { resource, mode, version, toRepeat, maxErrors } = options;
      const { mapping, header } = inputs;
      const out = options.out ?? resolve('storeport-runs', id);
      const run = {
        id,
        command: 'import' as const,
        mode,
        out,
        version,
        files,
        header,
        resource: resource.name,
        store: to.store,
      };
      const knowledge = to.passing ? undefined : ledger.knowledge(to.store, resource.name);
      const tally = createTally();
      return await execute({
        ...{ options, to, tally },
        work: fromFiles({ options, inputs, files, storeId, knowledge, tally }),
        limit: maxErrors ? limitOf(maxErrors) : sameRefusal(),
        facts: { ...run, mapping, offset: options.offset, startedAt, workedMs: 0 },
        open: () =>
          ledger.begin(
            {
              ...run,
              remembered: !to.passing,
              mappingName: mapping.name,
              mappingDigest: mapping.digest,
              options: toRepeat,
              startedAt: startedAt.getTime(),
            },
            to.concurrency,
          ),
      });
    } finally {
      ledger.close();
    }
  } finally {
    await close(inputs);
  }
}

/** What a later execution must find again. Standard input cannot be read twice. */
async function fileOf({ source }: Input): Promise<SourceFile> {
  const { file } = source.table;
  return source.size === undefined ? { file } : { file, path: resolve(file), ...(await stateOf(file)) };
}
