import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, isInstalled, run, type Store, startCheapStore, startStore } from './child.ts';
import { type Arrangement, GROUPED_MAPPING, ROWS, writeGroups } from './groups.ts';
import { writeProducts } from './products.ts';
import { writeTables } from './workbooks.ts';

/** CPU time of `main`, of each worker by its name, and of `others`: the threads of V8 and libuv. */
export type ThreadFigures = Readonly<Record<string, number>>;

/** One program with one number of records. */
export interface Figures {
  readonly rowsPerSecond: number;
  /** NaN if it is not known. */
  readonly peakMb: number;
  /** User and system time of the whole process, including its start. */
  readonly cpuUsPerRow: number;
  /** The same by thread; undefined if the system does not report it. */
  readonly threadUsPerRow?: ThreadFigures | undefined;
}

export interface Setting {
  /** Folder of the bundled children, and the bundle of the command line. */
  readonly built: string;
  readonly storeport: string;
  /** Folder for intermediate files. */
  readonly folder: string;
  /** Native CSV of the products. */
  readonly file: string;
  readonly records: number;
  readonly concurrency: number;
  /** Delay of each answer of the store; 0 for as fast as possible. */
  readonly latencyMs: number;
}

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';

/** Items a page, as storeport requests them. */
const PAGE_SIZE = 100;

/** Measured in turn, so that a drift in the speed of the machine affects all of them. The first is the reference. */
export interface Comparison {
  readonly title: string;
  /** Numbers of records, if the comparison is about these. */
  readonly records?: readonly number[];
  readonly jobs: readonly {
    readonly name: string;
    readonly measure: (setting: Setting) => Promise<Figures>;
  }[];
}

const child = ({ built }: Setting, name: string) => join(built, 'children', `${name}.js`);

export const COMPARISONS: readonly Comparison[] = [
  {
    title: 'import',
    jobs: [
      {
        name: 'HTTP client alone (undici)',
        measure: (at) => creating(at, [child(at, 'bare-creates'), `${at.records}`, `${at.concurrency}`]),
      },
      {
        name: 'storeport import',
        measure: (at) => importing(at, fresh(at, 'home')),
      },
      // The cost of durability: nothing is written to a disk there.
      ...(existsSync(MEMORY) ? [{ name: 'the same, ledger in memory', measure: inMemory }] : []),
      {
        name: 'script (csv-parse, zod, p-limit, fetch)',
        measure: (at) => creating(at, [child(at, 'script'), at.file, `${at.concurrency}`]),
      },
    ],
  },
  {
    title: 'import into a cheap store',
    jobs: [
      {
        name: 'HTTP client alone (undici)',
        measure: (at) =>
          creating(at, [child(at, 'bare-creates'), `${at.records}`, `${at.concurrency}`], startCheapStore),
      },
      {
        name: 'storeport import',
        measure: (at) => importing(at, fresh(at, 'home'), startCheapStore),
      },
      ...(isInstalled('mlr') && isInstalled('curl')
        ? [
            {
              name: 'Miller and curl',
              measure: (at: Setting) =>
                creating(at, [child(at, 'miller-curl'), at.file, `${at.concurrency}`], startCheapStore),
            },
          ]
        : []),
    ],
  },
  {
    title: 'short imports',
    records: [10, 100, 1000],
    jobs: [
      {
        name: 'script (csv-parse, zod, p-limit, fetch)',
        measure: (at) => whole(at, [child(at, 'script'), at.file, `${at.concurrency}`]),
      },
      { name: 'storeport import', measure: (at) => whole(at, importOf(at, at.file, fresh(at, 'home'))) },
      { name: 'a second import, of other records', measure: secondImport },
    ],
  },
  {
    title: 'validate',
    jobs: [
      { name: 'csv-parse alone', measure: async (at) => timed(at, await parsing(at), 'ms') },
      {
        name: 'storeport validate',
        measure: (at) => validating(at, at.file),
      },
    ],
  },
  {
    title: 'groups',
    jobs: [
      { name: 'csv-parse alone', measure: parsingGroups },
      { name: 'storeport validate, rows together', measure: (at) => grouping(at, 'together') },
      { name: '1 % of the products apart', measure: (at) => grouping(at, 'some-apart') },
      { name: 'every product apart', measure: (at) => grouping(at, 'all-apart') },
    ],
  },
  {
    title: 'workbooks',
    jobs: [
      {
        name: 'the same rows as CSV',
        measure: async (at) => validating(at, (await writeTables(at.folder, at.records)).csv),
      },
      {
        name: 'storeport validate, workbook',
        measure: async (at) => validating(at, (await writeTables(at.folder, at.records)).xlsx),
      },
    ],
  },
  {
    title: 'export',
    jobs: [
      {
        name: 'HTTP client alone (undici)',
        measure: (at) =>
          reading(at, 'ms', [child(at, 'bare-pages'), `${at.records}`, `${PAGE_SIZE}`, `${at.concurrency}`]),
      },
      {
        name: 'storeport export',
        measure: (at) =>
          reading(at, 'duration_ms', [
            at.storeport,
            ...['export', 'reviews', '--out', join(at.folder, 'reviews.csv')],
            ...['--concurrency', `${at.concurrency}`, '--quiet', '--json'],
          ]),
      },
    ],
  },
];

function importOf(at: Setting, file: string, home: string): string[] {
  return [
    ...[at.storeport, 'import', 'products', file, '--home', home, '--out', fresh(at, 'out')],
    ...['--concurrency', `${at.concurrency}`, '--quiet', '--json'],
  ];
}

function importing(at: Setting, home: string, start?: StartStore): Promise<Figures> {
  return creating(at, importOf(at, at.file, home), start);
}

/** A whole command, from the start of its process to its end, into a cheap store. `before`: a command that is not measured. */
function whole(at: Setting, args: readonly string[], before?: readonly string[]): Promise<Figures> {
  return withStore(startCheapStore(at.built), async (store) => {
    if (before) await run(at.built, at.folder, before, store.env);
    const ended = await run(at.built, at.folder, args, store.env);
    const { creates } = await store.creates();
    const expected = at.records * (before ? 2 : 1);
    if (creates !== expected) throw new Error(`${creates} of ${expected} products were created`);
    return figures(at, ended, ended.wallMs);
  });
}

/** Into the same store and home as the first one. */
async function secondImport(at: Setting): Promise<Figures> {
  const others = join(at.folder, 'others.csv');
  await writeProducts(others, at.records, at.records);
  const home = fresh(at, 'home');
  return whole(at, importOf(at, others, home), importOf(at, at.file, home));
}

async function validating(at: Setting, file: string): Promise<Figures> {
  const args = ['validate', 'products', file, '--out', fresh(at, 'out'), '--quiet', '--json'];
  return timed(at, await run(at.built, at.folder, [at.storeport, ...args]), 'duration_ms');
}

/** Three rows a product, by a mapping that groups them. */
async function grouping(at: Setting, arrangement: Arrangement): Promise<Figures> {
  const file = await writeGroups(at.folder, at.records, arrangement);
  const mapping = join(at.folder, 'groups.yaml');
  writeFileSync(mapping, GROUPED_MAPPING);
  const args = ['validate', 'products', file, '--mapping', mapping, '--out', fresh(at, 'out')];
  const ended = await run(at.built, at.folder, [at.storeport, ...args, '--quiet', '--json']);
  const { outcomes, duration_ms } = JSON.parse(ended.stdout);
  const products = Math.ceil(at.records / ROWS);
  if (outcomes.planned !== products) throw new Error(`${outcomes.planned} of ${products} products are whole`);
  return figures(at, ended, duration_ms);
}

async function parsingGroups(at: Setting): Promise<Figures> {
  const file = await writeGroups(at.folder, at.records, 'together');
  const ended = await run(at.built, at.folder, [child(at, 'csv-parse-alone'), file]);
  return figures(at, ended, JSON.parse(ended.stdout).ms);
}

async function inMemory(at: Setting): Promise<Figures> {
  const home = mkdtempSync(join(MEMORY, 'storeport-bench-'));
  try {
    return await importing(at, home);
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** From the first create to the last, by the clock of the store. */
async function creating(
  at: Setting,
  args: readonly string[],
  start: StartStore = (built) => startStore(built, 0, at.latencyMs),
): Promise<Figures> {
  return withStore(start(at.built), async (store) => {
    const ended = await run(at.built, at.folder, args, store.env);
    const { creates, ms } = await store.creates();
    if (creates !== at.records) throw new Error(`${creates} of ${at.records} products were created`);
    return figures(at, ended, ms);
  });
}

async function reading(at: Setting, field: string, args: readonly string[]): Promise<Figures> {
  return withStore(startStore(at.built, at.records, at.latencyMs), async (store) =>
    timed(at, await run(at.built, at.folder, args, store.env), field),
  );
}

function parsing(at: Setting): Promise<Ended> {
  return run(at.built, at.folder, [child(at, 'csv-parse-alone'), at.file]);
}

type StartStore = (built: string) => Promise<Store>;

async function withStore<T>(started: Promise<Store>, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await started;
  try {
    return await use(store);
  } finally {
    await store.stop();
  }
}

/** By the clock of the program itself, which excludes the start of the process. */
function timed(at: Setting, ended: Ended, field: string): Figures {
  const said = JSON.parse(ended.stdout) as Record<string, number>;
  const counted = said.rows ?? said.records ?? said.items;
  if (counted !== at.records) throw new Error(`${counted} of ${at.records} records came through`);
  return figures(at, ended, said[field] ?? Number.NaN);
}

function figures({ records }: Setting, { peakKb, cpuUs, threadUs }: Ended, ms: number): Figures {
  return {
    ...{
      rowsPerSecond: (records * 1000) / ms,
      peakMb: (peakKb ?? Number.NaN) / 1024,
      cpuUsPerRow: cpuUs / records,
    },
    threadUsPerRow: threadUs && perRow(withOthers(threadUs, cpuUs), records),
  };
}

function withOthers(threadUs: ThreadFigures, cpuUs: number): ThreadFigures {
  const known = Object.values(threadUs).reduce((sum, us) => sum + us, 0);
  return { ...threadUs, others: Math.max(0, cpuUs - known) };
}

function perRow(threadUs: ThreadFigures, records: number): ThreadFigures {
  return Object.fromEntries(Object.entries(threadUs).map(([name, us]) => [name, us / records]));
}

function fresh({ folder }: Setting, name: string): string {
  const path = join(folder, name);
  rmSync(path, { recursive: true, force: true });
  return path;
}
