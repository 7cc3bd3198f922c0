import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterEach, beforeEach } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import {
  type Ended,
  environmentOf,
  type ProcessOptions,
  type Reports,
  type RunOptions,
  readReports,
  readTable,
  storeport,
  storeportProcess,
  temporaryFolder,
} from './run.ts';

type TableRow = Record<string, string>;

/** A sandbox and an empty working directory, both new for each test. */
export interface CliFixture {
  readonly sandbox: Sandbox;
  readonly cwd: string;
  /** Replaces both by new ones in the middle of a test. */
  renew(): Promise<void>;
  /** Runs a command line in the folder, with the sandbox as its store. */
  run(...args: string[]): Promise<Ended>;
  /** The same with further options. Variables in `env` are added to those of the sandbox. */
  runWith(args: readonly string[], options: Partial<RunOptions>): Promise<Ended>;
  /** The same in a process of its own. */
  runProcess(args: readonly string[], options: Partial<ProcessOptions>): Promise<Ended>;
  /** Writes a file of the folder, one line for each argument. */
  writeLines(file: string, ...lines: string[]): void;
  /** Imports products from this text, with reports in the folder `out`. */
  importProducts(text: string, out: string, ...args: string[]): Promise<Ended>;
  /** Reads the reports in a folder below the working directory. */
  reports(out: string): Reports;
  /** Changes the rows of a CSV file of the folder, as in a spreadsheet; undefined deletes a row. */
  editRows(file: string, change: (row: TableRow) => TableRow | undefined): void;
  /** The current totals of a run in the ledger. */
  outcomesOf(run: string): Promise<Record<string, number>>;
  /** Products in the store, in the order of their creation. */
  products(): JsonObject[];
  /** References of the products in the store. */
  references(): string[];
  /** Creates and updates that the store received. */
  sends(): Sandbox['journal'];
}

/** Starts a sandbox before each test of the file and closes it afterwards. */
export function cliForEachTest(sandboxOptions: SandboxOptions = {}): CliFixture {
  let sandbox: Sandbox;
  let cwd: string;
  const start = async () => {
    sandbox = await startSandbox(sandboxOptions);
    cwd = temporaryFolder();
  };
  beforeEach(start);
  afterEach(() => sandbox.close());
  const runWith: CliFixture['runWith'] = (args, options) =>
    storeport(args, { cwd, ...options, env: { ...environmentOf(sandbox), ...options.env } });
  const runProcess: CliFixture['runProcess'] = (args, options) =>
    storeportProcess(args, { cwd, ...options, env: { ...environmentOf(sandbox), ...options.env } });
  const products = () => sandbox.records('products') as JsonObject[];
  return {
    get sandbox() {
      return sandbox;
    },
    get cwd() {
      return cwd;
    },
    renew: async () => {
      await sandbox.close();
      await start();
    },
    runWith,
    runProcess,
    run: (...args) => runWith(args, {}),
    writeLines: (file, ...lines) => writeFileSync(join(cwd, file), `${lines.join('\n')}\n`),
    importProducts: (text, out, ...args) => {
      writeFileSync(join(cwd, 'in.csv'), text);
      return runWith(['import', 'products', 'in.csv', '--out', out, ...args], {});
    },
    reports: (out) => readReports(join(cwd, out)),
    editRows: (file, change) => {
      const rows = readTable(join(cwd, file)).map(change);
      writeFileSync(join(cwd, file), stringify(rows, { header: true }));
    },
    outcomesOf: async (id) => JSON.parse((await runWith(['run', 'show', id, '--json'], {})).stdout).outcomes,
    products,
    references: () => products().map(({ reference }) => String(reference)),
    sends: () => sandbox.journal.filter(({ kind }) => kind === 'create' || kind === 'update'),
  };
}
