import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import {
  type Ended,
  environmentOf,
  type Reports,
  type RunOptions,
  readReports,
  storeport,
  temporaryFolder,
} from './run.ts';

/** A sandbox and an empty working directory, both new for each test. */
export interface CliFixture {
  readonly sandbox: Sandbox;
  readonly cwd: string;
  /** Runs the binary in the folder, with the sandbox as its store. */
  run(...args: string[]): Promise<Ended>;
  /** The same with further options. Variables in `env` are added to those of the sandbox. */
  runWith(args: readonly string[], options: Partial<RunOptions>): Promise<Ended>;
  /** Writes a file of the folder, one line for each argument. */
  writeLines(file: string, ...lines: string[]): void;
  /** Reads the reports in a folder below the working directory. */
  reports(out: string): Reports;
  /** Products in the store, in the order of their creation. */
  products(): JsonObject[];
  /** References of the products in the store. */
  references(): string[];
  /** Creates and updates that the store received. */
  sends(): Sandbox['journal'];
}

/** Starts a sandbox before each test of the file and closes it afterwards. */
export function cliForEachTest(): CliFixture {
  let sandbox: Sandbox;
  let cwd: string;
  beforeEach(async () => {
    sandbox = await startSandbox();
    cwd = temporaryFolder();
  });
  afterEach(() => sandbox.close());
  const runWith: CliFixture['runWith'] = (args, options) =>
    storeport(args, { cwd, ...options, env: { ...environmentOf(sandbox), ...options.env } });
  const products = () => sandbox.records('products') as JsonObject[];
  return {
    get sandbox() {
      return sandbox;
    },
    get cwd() {
      return cwd;
    },
    runWith,
    run: (...args) => runWith(args, {}),
    writeLines: (file, ...lines) => writeFileSync(join(cwd, file), `${lines.join('\n')}\n`),
    reports: (out) => readReports(join(cwd, out)),
    products,
    references: () => products().map(({ reference }) => String(reference)),
    sends: () => sandbox.journal.filter(({ kind }) => kind === 'create' || kind === 'update'),
  };
}
