import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { connect, type Sql } from '../../src/postgres/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type TestAddress, testAddress } from './postgres.ts';
import { type Ended, storeport, storeportProcess, temporaryFolder } from './run.ts';

/** A worker of the binary. */
export interface FleetProcess {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The binary with a database of its own: a schema that is dropped at the end. */
export interface FleetCli {
  readonly cwd: string;
  readonly sql: Sql;
  /** Runs `storeport fleet …` with the database and these variables. */
  run(...args: string[]): Promise<Ended>;
  /** The same with --json, as an object. Fails unless the exit code is 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at it from many sides
  json(...args: string[]): Promise<any>;
  start(...args: string[]): FleetProcess;
  /** Sets variables of all commands that are started later. */
  setVariables(variables: Readonly<Record<string, string>>): void;
  /** Adds a sandbox as a store. Its secret is in the environment of all commands. */
  addStore(name: string, sandbox: Sandbox, ...args: string[]): Promise<Ended>;
  /** Waits until all tasks that the words select fulfil the condition, and returns them. */
  untilTasks(isEnough: (tasks: readonly ListedTask[]) => boolean, ...args: string[]): Promise<ListedTask[]>;
  close(): Promise<void>;
}

export interface ListedTask {
  readonly task: string;
  readonly store: string;
  readonly state: string;
  readonly stop_reason: string | null;
  readonly outcomes: Readonly<Record<string, number>> | null;
  readonly to_do: readonly string[];
}

const POLL_MS = 200;

export async function fleetCli(address: TestAddress = testAddress()): Promise<FleetCli> {
  const { url, schema, drop } = address;
  const cwd = temporaryFolder(() => {});
  const sql = connect(url, { schema, poolSize: 2 });
  const env: Record<string, string> = { STOREPORT_DATABASE: url, STOREPORT_DATABASE_SCHEMA: schema };
  const started: FleetProcess[] = [];
  const run = (...args: string[]) => storeport(['fleet', ...args], { cwd, env });
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, `${args.join(' ')}\n${stderr}`).toBe(0);
    return JSON.parse(stdout);
  }
  return {
    ...{ cwd, sql, run, json },
    start(...args) {
      let child: ChildProcess | undefined;
      const ended = storeportProcess(['fleet', ...args], {
        ...{ cwd, env },
        onStart: (process) => {
          child = process;
        },
      });
      const one = { process: child as unknown as ChildProcess, ended };
      started.push(one);
      return one;
    },
    setVariables: (variables) => void Object.assign(env, variables),
    addStore(name, { url, clientId, clientSecret }, ...args) {
      const variable = `${name.toUpperCase()}_SECRET`;
      env[variable] = clientSecret;
      const words = ['--base-url', url, '--client-id', clientId, '--secret', `env:${variable}`];
      return run('store', 'add', name, ...words, ...args);
    },
    async untilTasks(isEnough, ...args) {
      for (;;) {
        const tasks = (await json('list', ...args)) as ListedTask[];
        if (isEnough(tasks)) return tasks;
        await sleep(POLL_MS);
      }
    },
    async close() {
      for (const { process } of started) process.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await sql.close();
      await drop();
      const { removeTestFolder } = await import('./run.ts');
      removeTestFolder(cwd);
    },
  };
}
