import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { type TestAddress, testAddress } from '../../support/postgres.ts';
import {
  commandsIn,
  commandsOfPage,
  expectToRun,
  type Printed,
  shellWords,
} from '../../support/printed-commands.ts';
import { type Ended, storeport } from '../../support/run.ts';
import { keptOutput } from '../../support/test-io.ts';

// Runs every command that a fleet prints in these situations, in the same folder. Its database is on the command line only.

const cli = cliForEachTest();
let address: TestAddress;
let database: string;
let env: Record<string, string>;

beforeEach(() => {
  address = testAddress();
  const url = new URL(address.url);
  // An address with a password is never printed.
  env = { RED_SECRET: cli.sandbox.clientSecret, ...(url.password && { PGPASSWORD: url.password }) };
  url.password = '';
  database = `--database ${url} --database-schema ${address.schema}`;
});
afterEach(() => address.drop());

const words = (line: string) => shellWords(line) ?? [];
const write = (name: string, text: string) => writeFileSync(join(cli.cwd, name), text);
const shell = (...args: string[]) => {
  // A worker that is interrupted before it begins ends at once.
  const signal = args[1] === 'worker' ? AbortSignal.abort() : undefined;
  return storeport(args, { cwd: cli.cwd, env, ...(signal && { signal }) });
};
/** Runs `storeport fleet …` with the database. */
const fleet = (line: string) => shell('fleet', ...words(line), ...words(database));

async function started(): Promise<void> {
  const { url, clientId } = cli.sandbox;
  await fleet('init');
  await fleet(`store add red --base-url ${url} --client-id ${clientId} --secret env:RED_SECRET`);
}

interface Listed {
  readonly task: string;
  readonly state: string;
}
const tasks = async (): Promise<Listed[]> => JSON.parse((await fleet('list --json')).stdout);

/** Lets a worker do all tasks. */
async function work(): Promise<void> {
  const drain = new AbortController();
  const args = ['fleet', 'worker', '--slots', '1', ...words(database)];
  const ended = storeport(args, { cwd: cli.cwd, env, signal: drain.signal });
  while ((await tasks()).some(({ state }) => state === 'queued' || state === 'running')) await sleep(50);
  drain.abort();
  expect(await ended).toMatchObject({ code: 0 });
}

const latest = async () => (await tasks())[0]?.task ?? '';
const show = async () => fleet(`show ${await latest()}`);

async function importing(text: string, resource = 'products'): Promise<void> {
  write('in.csv', text);
  expect((await fleet(`run import ${resource} in.csv --stores red`)).code).toBe(0);
}

const PRODUCTS = 'name,reference\nMug,A\nCup,B\n';
const ONE_WRONG = 'name,reference\nMug,A\n,B\n';
const CUSTOMERS = 'firstname,lastname,email,password\nAda,L,ada@example.com,one-two-3\n';
const doubtful = async () => {
  await started();
  cli.sandbox.misbehave({ reset: '#1@create' });
  await importing(PRODUCTS);
  await work();
};

const OPERATOR = 'operates-0123456789abcdef';

/** Serves the page, asks for all that its screens show of one task, and ends it. Its commands are the output. */
async function page(): Promise<Ended> {
  const end = new AbortController();
  const stdout = keptOutput();
  const ended = storeport(
    ['fleet', 'serve', '--port', '0', '--operator-token', 'env:FLEET_OPERATOR', ...words(database)],
    { cwd: cli.cwd, env: { ...env, FLEET_OPERATOR: OPERATOR }, signal: end.signal, stdout },
  );
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(stdout.text())?.[0];
  while (address() === undefined) await sleep(20);
  const headers = {
    ...{ authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    origin: address() ?? '',
  };
  const read = async (path: string, body?: object): Promise<string> => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(`${address()}/api/v1${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const task = `/tasks/${await latest()}`;
  const shown = [await read('/session', { token: OPERATOR })];
  for (const path of ['/overview', '/tasks?state=stopped&store=red&doubts=1', task, `${task}/doubts`])
    shown.push(await read(path));
  end.abort();
  const { code, stderr } = await ended;
  const texts = shown.flatMap((text) =>
    [...text.matchAll(/"(storeport .*?[^\\])"/g)].map(([, line]) => line),
  );
  return { code, stderr, stdout: texts.join('\n') };
}

interface Situation {
  readonly before?: () => Promise<unknown>;
  readonly run: () => Promise<Ended>;
  readonly code: number;
  /** Runs between the command and those that it printed. */
  readonly between?: () => unknown;
  /** All commands that are printed, in order, with PLACE for the database. They run one after another. */
  readonly prints: readonly Printed[];
  readonly after?: () => unknown;
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a database without tables': {
    run: () => fleet('list'),
    code: 2,
    prints: [['storeport fleet init PLACE', 0]],
  },
  'a new fleet': {
    run: () => fleet('init'),
    code: 0,
    prints: [
      ['storeport fleet store add --help', 0],
      ['storeport fleet worker PLACE', 0],
    ],
  },
  'a fleet without tasks': {
    before: started,
    run: () => fleet('list'),
    code: 0,
    prints: [['storeport fleet run --help', 0]],
  },
  'a fleet without workers': {
    before: started,
    run: () => fleet('list --workers'),
    code: 0,
    prints: [['storeport fleet worker PLACE', 0]],
  },
  'a fleet without schedules': {
    before: started,
    run: () => fleet('schedule list'),
    code: 0,
    prints: [['storeport fleet schedule add --help', 0]],
  },
  'a task that does not exist': {
    before: started,
    run: () => fleet('show nothing'),
    code: 2,
    prints: [['storeport fleet list PLACE', 0]],
  },
  'a store that does not exist': {
    before: started,
    run: () => fleet('stop --stores blue'),
    code: 2,
    prints: [['storeport fleet store list PLACE', 0]],
  },
  'a worker that does not exist': {
    before: started,
    run: () => fleet('resume --ended nobody'),
    code: 2,
    prints: [['storeport fleet list --workers PLACE', 0]],
  },
  'an import that is added': {
    before: async () => {
      await started();
      write('in.csv', PRODUCTS);
    },
    run: () => fleet('run import products in.csv --stores red'),
    code: 0,
    prints: [['storeport fleet show TASK PLACE', 0]],
  },
  'a queued task': {
    before: async () => {
      await started();
      await importing(PRODUCTS);
    },
    run: show,
    code: 0,
    prints: [['storeport fleet stop TASK PLACE', 0]],
    after: async () => expect(await tasks()).toMatchObject([{ state: 'stopped' }]),
  },
  'a store with work that is removed': {
    before: async () => {
      await started();
      await importing(PRODUCTS);
    },
    run: () => fleet('store remove red'),
    code: 2,
    prints: [['storeport fleet stop --stores red PLACE', 0]],
  },
  'a task that was stopped': {
    before: async () => {
      await started();
      await importing(PRODUCTS);
      await fleet('stop --stores red');
    },
    run: show,
    code: 0,
    prints: [['storeport fleet resume TASK PLACE', 0]],
    after: async () => {
      await work();
      expect(cli.references()).toEqual(['A', 'B']);
    },
  },
  'a task with wrong rows': {
    before: async () => {
      await started();
      await importing(ONE_WRONG);
      await work();
    },
    run: show,
    code: 0,
    prints: [
      ['storeport fleet get TASK PLACE', 0],
      ['storeport fleet run import products storeport-runs/TASK/errors.csv --stores red PLACE', 0],
    ],
    after: async () => {
      const [, done] = await tasks();
      cli.editRows(`storeport-runs/${done?.task}/errors.csv`, (row) => ({ ...row, name: 'Cup' }));
      await work();
      expect(cli.references()).toEqual(['A', 'B']);
    },
  },
  'a task with wrong rows, in the list': {
    before: async () => {
      await started();
      await importing(ONE_WRONG);
      await work();
    },
    run: () => fleet('list --json'),
    code: 0,
    prints: [['storeport fleet show TASK PLACE', 0]],
  },
  'a retry of a task without failures': {
    before: async () => {
      await started();
      await importing(ONE_WRONG);
      await work();
    },
    run: async () => fleet(`retry ${await latest()}`),
    code: 1,
    prints: [['storeport fleet show TASK PLACE', 0]],
  },
  'a task whose records met a redirect': {
    before: async () => {
      await started();
      cli.sandbox.misbehave({ redirect: '#1@create' });
      await importing(PRODUCTS);
      await work();
    },
    run: show,
    code: 0,
    between: () => cli.sandbox.misbehave({}),
    prints: [
      ['storeport fleet get TASK PLACE', 0],
      ['storeport fleet retry TASK PLACE --rejected', 0],
    ],
    after: async () => {
      await work();
      expect(cli.references().toSorted()).toEqual(['A', 'B']);
    },
  },
  'the screens of the page': {
    before: doubtful,
    run: page,
    code: 0,
    prints: [
      ['storeport fleet store list PLACE', 0],
      ['storeport fleet schedule list PLACE', 0],
      ['storeport fleet list --state stopped --stores red --doubts PLACE', 0],
      ['storeport fleet get TASK PLACE', 0],
      ['storeport fleet resolve TASK PLACE', 1],
      ['storeport fleet show TASK PLACE', 0],
    ],
  },
  'a task with a doubt': {
    before: doubtful,
    run: show,
    code: 0,
    prints: [
      ['storeport fleet get TASK PLACE', 0],
      ['storeport fleet resolve TASK PLACE', 1],
    ],
  },
  'the doubts of a task': {
    before: doubtful,
    run: async () => fleet(`resolve ${await latest()}`),
    code: 1,
    prints: [
      ['storeport fleet resolve TASK --row N --there ID PLACE', 2],
      ['storeport fleet resolve TASK --row N --not-there PLACE', 2],
      ['storeport fleet get TASK in-doubt.csv PLACE', 0],
      ['storeport fleet resolve TASK --from storeport-runs/TASK/in-doubt.csv PLACE', 1],
    ],
  },
  'the page of a report that was fetched': {
    before: async () => {
      await doubtful();
      await fleet(`get ${await latest()} --to got`);
    },
    run: async () => {
      const page = readFileSync(join(cli.cwd, 'got/report.html'), 'utf8');
      return { code: 0, stdout: commandsOfPage(page).join('\n'), stderr: '' };
    },
    code: 0,
    prints: [['storeport fleet resolve TASK PLACE', 1]],
  },
  'a paused schedule': {
    before: async () => {
      await started();
      await fleet("schedule add nightly --cron '0 2 * * *' --export reviews --stores red");
    },
    run: () => fleet('schedule pause nightly'),
    code: 0,
    prints: [['storeport fleet schedule pause nightly --off PLACE', 0]],
  },
  'a key of rows that is missing': {
    before: async () => {
      await doubtful();
      rmSync(join(cli.cwd, '.storeport', 'artifacts', 'keys'), { recursive: true });
    },
    run: async () => fleet(`resolve ${await latest()} --all --not-there`),
    code: 2,
    prints: [['storeport fleet init --new-key PLACE', 0]],
  },
  'a database that was restored': {
    before: async () => {
      await started();
      await importing(PRODUCTS);
      await work();
    },
    run: () => fleet('init --restored'),
    code: 0,
    prints: [
      ['storeport fleet list PLACE', 0],
      ['storeport fleet init --take-artifacts FOLDER/.storeport/artifacts PLACE', 0],
    ],
    after: work,
  },
  'a worker of a restored database': {
    before: async () => {
      await started();
      await importing(PRODUCTS);
      await work();
      await fleet('init --restored');
    },
    run: () => shell('fleet', 'worker', ...words(database)),
    code: 2,
    prints: [
      ['storeport fleet init --take-artifacts FOLDER/.storeport/artifacts PLACE', 0],
      ['storeport fleet init --help', 0],
    ],
    after: work,
  },
  'customers of a restored database': {
    before: async () => {
      await started();
      await importing(CUSTOMERS, 'customers');
      await work();
      await fleet('init --restored --take-artifacts .storeport/artifacts');
      await importing(CUSTOMERS, 'customers');
      await work();
    },
    run: show,
    code: 0,
    prints: [
      ['storeport fleet adopt --help', 0],
      ['storeport fleet resume --reviewed red PLACE', 2],
      ['storeport fleet resume TASK PLACE', 0],
    ],
    after: async () => {
      await work();
      expect(cli.sandbox.count('customers')).toBe(1);
    },
  },
  'a fleet whose database is in a profile': {
    before: async () => {
      const [, url = ''] = words(database);
      write('storeport.config.yaml', `profiles:\n  shops:\n    database: ${url}\n`);
      await started();
    },
    run: () => shell('fleet', 'show', 'nothing', '--profile', 'shops', '--database-schema', address.schema),
    code: 2,
    prints: [['storeport fleet list --profile shops --database-schema SCHEMA', 0]],
  },
};

const withoutNames = (command: string) =>
  command
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]+/g, 'TASK')
    .replace(database, 'PLACE')
    .replace(address.schema, 'SCHEMA')
    .replace(cli.cwd, 'FOLDER');

test.each(Object.entries(SITUATIONS))(
  'the commands that are printed for %s run as they are',
  async (_, { before, run, code, between, prints, after }) => {
    await before?.();
    const ended = await run();
    expect(ended).toMatchObject({ code });
    const printed = [...new Set([...commandsIn(ended.stderr), ...commandsIn(ended.stdout)])];
    expect(printed.map(withoutNames)).toEqual(prints.map(([command]) => command));
    await between?.();
    await expectToRun(printed, prints, { code, run: shell });
    await after?.();
  },
);
