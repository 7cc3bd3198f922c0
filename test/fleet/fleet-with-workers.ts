import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type ArtifactStorage, openArtifact, openArtifacts } from '../../src/fleet/artifacts/index.ts';
import { createExecutor } from '../../src/fleet/execute/execute.ts';
import {
  addStore,
  addTasks,
  countTasks,
  type ExecutorOptions,
  runWorker,
  showTask,
  type WorkerEnd,
  type WorkerOptions,
} from '../../src/fleet/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createMask } from '../../src/store/index.ts';
import { fleetDatabaseOfFile } from './fleet-parts.ts';

export const WAIT = { timeout: 60_000, interval: 50 };

/** A fleet for the tests of a file: a sandbox as the store `red`, a folder, and workers that end with each test. */
export function fleetOfFile() {
  const database = fleetDatabaseOfFile();
  let sandbox: Sandbox;
  let folder: string;
  const drains: AbortController[] = [];
  const workers: Promise<WorkerEnd>[] = [];
  /** The log of all workers. */
  const lines: string[] = [];

  beforeEach(async () => {
    sandbox = await startSandbox({ seed: 30 });
    folder = mkdtempSync(join(tmpdir(), 'storeport-fleet-'));
    await addStore(database.sql, {
      name: 'red',
      baseUrl: sandbox.url,
      settings: { clientId: sandbox.clientId, secret: 'env:RED_SECRET' },
    });
  });

  afterEach(async () => {
    for (const drain of drains.splice(0)) drain.abort();
    await Promise.allSettled(workers.splice(0));
    await sandbox.close();
    rmSync(folder, { recursive: true });
    lines.length = 0;
  });

  const storage = (): Promise<ArtifactStorage> => openArtifacts(join(folder, 'artifacts'), { env: {} });

  /** The parts of an executor on a machine. Its scratch folder has its name, so that paths differ between machines. */
  async function executorOptions(name: string): Promise<ExecutorOptions> {
    const mask = createMask([]);
    const write = (facts: object, message: string) => lines.push(mask(`${message} ${JSON.stringify(facts)}`));
    return {
      ...{ mask, sql: database.another(), storage: await storage(), scratch: join(folder, name) },
      log: { info: write, warn: write, error: write },
      environment: { RED_SECRET: sandbox.clientSecret },
      // Tests serve files on this machine.
      allowsPrivateSources: true,
      secretReader: { name: `the worker ${name}`, toDo: 'Give it to all workers.' },
    };
  }

  /** Starts a worker. `parts` replace those of its executor. */
  async function start(
    name: string,
    { parts, ...options }: Partial<WorkerOptions> & { readonly parts?: Partial<ExecutorOptions> } = {},
  ) {
    const drain = new AbortController();
    const executor = { ...(await executorOptions(name)), ...parts };
    const { sql, log, mask } = executor;
    const end = runWorker({
      ...{ sql, log, mask, execute: createExecutor(executor), slots: 2, drain: drain.signal, id: name },
      timing: { sweepMs: 400, watchMs: 120 },
      ...options,
    });
    drains.push(drain);
    workers.push(end);
    return { end, drain: () => drain.abort() };
  }

  /** Writes a file with products, and returns its path. */
  function products(count: number): string {
    const file = join(folder, 'products.csv');
    const records = Array.from(
      { length: count },
      (_, each) => `Thing ${each},T-${each},PHYSICAL,simple,${each + 1}.5`,
    );
    writeFileSync(file, `name,reference,productType,type,price.salePrice\n${records.join('\n')}\n`);
    return file;
  }

  /** Adds an import of products into the store, and returns its id. */
  async function addImport(files: string[], options: JsonObject = {}): Promise<string> {
    const [task] = await addTasks(database.sql, {
      ...{ command: 'import', resource: 'products', stores: 'red', options: { ...options, files } },
    });
    return task?.id ?? '';
  }

  const ended = (count = 1) =>
    vi.waitFor(async () => {
      const { done, stopped } = await countTasks(database.sql);
      expect(done + stopped).toBe(count);
    }, WAIT);

  async function artifact(id: string, name: string): Promise<string> {
    const { number } = await showTask(database.sql, id);
    const opened = await openArtifact(database.sql, await storage(), { task: number, name });
    if (opened === undefined) throw new Error(`no artifact ${name}`);
    return text(opened.content);
  }

  return {
    ...{ database, lines, storage, executorOptions, start, products, addImport, ended, artifact },
    get sandbox() {
      return sandbox;
    },
    get folder() {
      return folder;
    },
  };
}
