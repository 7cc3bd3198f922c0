import { join } from 'node:path';
import { mkdirSync, relative } from '../../model/files/fs.ts';
import { ConfigError, ownershipHints, packageFile, RunStopped } from '../../model/index.ts';
import { version } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { paintCommands } from '../output/colour.ts';
import { firstSteps, scriptCall } from '../output/first-steps.ts';
import { connectToStore } from '../store.ts';
import type { Command } from './command.ts';

interface DemoArguments {
  readonly home: string;
  readonly out: string;
  readonly shop: boolean;
}

const SAMPLE = 'shopify-products.csv';

export const demoCommand: Command<DemoArguments> = {
  usage: 'demo',
  summary: 'See it work: a sandbox store, an import of a sample, exports, and where to look next',
  options: {
    out: {
      topic: 'output',
      default: 'storeport-demo',
      describe: 'Folder for what the demo writes',
      completes: 'folder',
    },
    shop: {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe: 'Move a whole sample shop: suppliers, products, customers, discounts and orders',
    },
  },
  examples: [['$0 demo --shop', 'Five files that refer to each other, moved by a plan']],
  async run(args, context) {
    if (args.shop) {
      const { demoShop, refuseOtherApi } = await import('../demo/shop.ts');
      await refuseOtherApi();
      const out = join(args.out, 'shop');
      makeOutputFolder(out);
      return demoShop({ out, progress: args.progress }, context);
    }
    const { runExport, runImport } = await import('../../pipeline/index.ts');
    const { resourceNamed } = await import('../../resources/index.ts');
    const { terminal } = context;
    const interrupted = context.onInterrupt();
    const say = (line = '') => (context.json ? undefined : terminal.out(line, paintCommands));
    makeOutputFolder(args.out);

    say('Hello! This is storeport. It imports a sample shop into a store, on this machine only.');
    say();
    const store = await connectToStore(
      { home: args.home, sandbox: true, concurrency: 16, timeout: '30s', giveUpAfter: '15m' },
      { ...context, terminal: { ...terminal, note: () => {} } },
    );
    say(`1. A store      A sandbox store is open at ${store.baseUrl}: the whole API, in memory.`);
    try {
      const sample = packageFile('samples', SAMPLE);
      const imported = await runImport(
        {
          resource: resourceNamed('products'),
          files: [sample],
          mode: 'upsert',
          constants: {},
          read: {},
          home: args.home,
          offset: 0,
          maskContacts: false,
          out: args.out,
          version: version(),
          toRepeat: {},
          exitCodeOf,
          interrupted,
          watch: {
            opened: ({ mapping, files }) => {
              const columns = files[0]?.source.table.header.length ?? 0;
              say(
                `2. A file       ${relative('', sample)}: ${columns} columns, recognised as ${mapping.title}.`,
              );
            },
            warned: () => {},
            started: () => {},
            canary: async () => true,
          },
        },
        async () => ({
          store: store.baseUrl,
          ephemeral: true,
          client: store.client,
          concurrency: store.concurrency,
        }),
      );
      if (interrupted.aborted) throw new RunStopped('interrupted', 'The demo was interrupted.');
      const { created = 0, invalid = 0 } = imported.outcomes;
      say(
        `3. An import    ${imported.records} products read, ${created} created in the store in ${imported.duration_ms} ms.`,
      );
      say(`                ${invalid} have mistakes, which the sample has on purpose, and were not sent:`);
      for (const problem of imported.problems) say(`                  - ${problem.example}`);

      const exports = [];
      for (const name of ['reviews', 'checkouts']) {
        const out = join(args.out, `${name}.csv`);
        const summary = await runExport({
          resource: resourceNamed(name),
          out,
          format: 'csv',
          filters: [],
          raw: false,
          incremental: false,
          home: args.home,
          version: version(),
          connect: async () => store,
          interrupted,
          onProgress: () => {},
          onWarning: () => {},
        });
        exports.push(summary);
      }
      say(
        `4. Two exports  ${exports.map(({ items, resource }) => `${items} ${resource}`).join(' and ')} came out of the store as CSV.`,
      );
      say();
      say(
        `Every row is accounted for: ${imported.records} = ${Object.entries(imported.outcomes)
          .map(([word, count]) => `${count} ${word}`)
          .join(' + ')}.`,
      );
      say();
      say(`Look at it, in ${args.out}/`);
      say('  report.html     the run as a page: open it in a browser');
      say('  results.csv     one line a product, with the id that the store gave it');
      say(
        '  errors.csv      the rows that were not imported, as they were, with the reason: correct them and import this file',
      );
      say('  summary.json    the same in figures, for scripts');
      say('  reviews.csv, checkouts.csv');
      say();
      say('Then try');
      for (const step of firstSteps(scriptCall(context.io.script))) say(step);
      if (context.json) terminal.out(JSON.stringify({ import: imported, exports, exit_code: 0 }));
      // The sample has invalid rows on purpose, so the exit code is not that of the import.
      return 0;
    } finally {
      await store.close();
    }
  },
};

function makeOutputFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ConfigError(
      `The folder ${folder} cannot be made: ${(error as Error).message}.`,
      ownershipHints(error, folder),
    );
  }
}
