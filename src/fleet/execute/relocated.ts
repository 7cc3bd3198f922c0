import type { KnownRun, Ledger, LedgerSource } from '../../ledger/index.ts';

/** Paths of a run on this machine. Those in the ledger are of the machine on which it began. */
export interface RunPaths {
  /** Folder of the reports. */
  readonly out: string;
  /** The source files, in the order of the run; left out, they are as in the ledger. */
  readonly files?: readonly string[] | undefined;
}

/** A ledger whose run `id` has the paths of this machine. */
export function relocated(source: LedgerSource, id: string, paths: RunPaths): LedgerSource {
  const here = (run: KnownRun): KnownRun => (run.id === id ? runAt(run, paths) : run);
  return {
    ...source,
    async open() {
      const ledger = await source.open();
      const found: Pick<Ledger, 'runs' | 'find' | 'reread'> = {
        runs: async () => (await ledger.runs()).map(here),
        async find(name) {
          const run = await ledger.find(name);
          return run && here(run);
        },
        reread: async (run) => here(await ledger.reread(run)),
      };
      return Object.assign(Object.create(ledger) as Ledger, found);
    },
  };
}

function runAt(run: KnownRun, { out, files = [] }: RunPaths): KnownRun {
  return {
    ...run,
    out,
    files: run.files.map((file, index) => {
      const path = files[index];
      return file.path === undefined || path === undefined ? file : { ...file, path };
    }),
  };
}
