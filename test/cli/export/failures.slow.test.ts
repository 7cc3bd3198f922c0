import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { type HttpStore, httpStore, pageOf } from '../../support/http-store.ts';
import { environmentOf, storeportProcess, temporaryFolder } from '../../support/run.ts';

// Failures during a nightly export. The file of the night before must still be there afterwards.

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const exporting = ['export', 'reviews', '--out', 'reviews.csv'];
const review = (number: number): JsonObject => ({
  _id: `r${number}`,
  content: `Review ${number}`,
  rating: 4,
});

interface HoldingStore extends HttpStore {
  /** The number of reviews. */
  total: number;
  /** Delays the next answer to page 2. Resolves when it was requested, with a function that releases it. */
  hold(): Promise<() => void>;
}

async function holdingStore(): Promise<HoldingStore> {
  let onHeld: ((release: () => void) => void) | undefined;
  const store = await httpStore(async ({ query }) => {
    const tell = query.page === '2' ? onHeld : undefined;
    if (tell) {
      onHeld = undefined;
      await new Promise<void>(tell);
    }
    return pageOf(holding.total, query, review);
  });
  const holding: HoldingStore = {
    ...store,
    total: 300,
    hold: () =>
      new Promise((resolve) => {
        onHeld = resolve;
      }),
  };
  return holding;
}

/** Deadlines that no test reaches, however slow the machine is. */
const patient = ['--timeout', '24h'];

/** All files of a folder except the home: name → bytes. */
const lying = (folder = cwd) =>
  new Map(
    readdirSync(folder)
      .filter((name) => name !== '.storeport')
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );

/** Writes a file with its manifest, as from an earlier export. Returns all files of the folder. */
function leaveLastNight(folder: string, name: string): ReturnType<typeof lying> {
  writeFileSync(join(folder, name), 'last night\n');
  writeFileSync(join(folder, `${name}.manifest.json`), '{"file": "last night"}\n');
  return lying(folder);
}

const textOf = (name: string) => readFileSync(join(cwd, name), 'utf8');
const manifestOf = (name: string) => JSON.parse(textOf(`${name}.manifest.json`));

/** The files of a successful export, and no others. */
function expectWhole(name: string, rows: number): void {
  expect([...lying().keys()]).toEqual([name, `${name}.manifest.json`, `${name}.report.html`]);
  const bytes = readFileSync(join(cwd, name));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(manifestOf(name)).toMatchObject({ complete: true, rows, bytes: bytes.length, sha256 });
}

const inBase =
  (env: Readonly<Record<string, string>>) =>
  (args: readonly string[], more = {}) =>
    storeportProcess(args, { cwd, env, ...more });

describe('interrupted export', () => {
  /** A successful export, and then one that receives a signal while it waits for the second page. */
  async function endedBy(signal: 'SIGKILL' | 'SIGTERM', options: readonly string[]) {
    const store = await holdingStore();
    const run = inBase(store.environment);
    expect((await run([...exporting, ...options])).code).toBe(0);
    const before = lying();
    store.total = 310;
    const held = store.hold();
    let meanwhile: string[] = [];
    const ended = await run([...exporting, ...options, ...patient], {
      onStart: async (child: { kill(signal: string): boolean }) => {
        await held;
        meanwhile = [...lying().keys()];
        child.kill(signal);
      },
    });
    expect(meanwhile).toContainEqual(expect.stringMatching(/^\.reviews\.csv\..*\.part$/));
    return { run, before, ended };
  }

  test.each([
    ['all items', []],
    ['new items', ['--incremental']],
  ])(
    'kill -9 in an export of %s leaves the old file intact, and the next export cleans up',
    async (_, options) => {
      const { run, before, ended } = await endedBy('SIGKILL', options);
      expect(ended.code).toBeNull();
      for (const [name, bytes] of before) expect(lying().get(name)).toBe(bytes);
      const next = await run([...exporting, ...options, '--json']);
      expect({ code: next.code, said: next.stderr }).toMatchObject({ code: 0 });
      expect(JSON.parse(next.stdout).items).toBe(options.length === 0 ? 310 : 10);
      expectWhole('reviews.csv', 310);
      const own = readdirSync(join(cwd, '.storeport'), { recursive: true, encoding: 'utf8' });
      expect(own.filter((name) => name.includes('.part') || name.endsWith('.json'))).toEqual([]);
    },
  );

  test('SIGTERM ends an export with 130 and leaves all files unchanged', async () => {
    const { before, ended } = await endedBy('SIGTERM', []);
    expect({ code: ended.code, said: ended.stderr }).toEqual({
      code: 130,
      said: expect.stringMatching(/^Error: .*interrupted/im),
    });
    expect(lying()).toEqual(before);
  });
});

describe('full disk', () => {
  test.each([
    ['for the file', 'reviews.csv', [], 8],
    ['for a compressed one', 'reviews.csv.gz', [], 8],
    // A file of a few letters, with a longer manifest.
    ['for the manifest', 'reviews.csv', ['--columns', '_id', '--limit', '2'], 1],
  ])(
    'an export to a full disk exits with 3 and leaves both files unchanged: %s',
    async (what, name, options, fileBlocks) => {
      const sandbox = await startSandbox({ seed: 300 });
      try {
        const before = leaveLastNight(cwd, name);
        const run = inBase(environmentOf(sandbox));
        const ended = await run(['export', 'reviews', '--out', name, ...options], { fileBlocks });
        const named = what === 'for the manifest' ? `${name}.manifest.json` : name;
        expect({ code: ended.code, said: ended.stderr }).toEqual({
          code: 3,
          said: expect.stringContaining(`Error: ${named} cannot be written: EFBIG`),
        });
        expect(lying()).toEqual(before);
      } finally {
        await sandbox.close();
      }
    },
  );
});

/** A folder and a store of its own, for tests that run at once since they mostly wait. */
async function nightOfItsOwn() {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-night-'));
  const sandbox = await startSandbox({ seed: 500 });
  return {
    ...{ folder, sandbox },
    run: (args: readonly string[]) => storeportProcess(args, { cwd: folder, env: environmentOf(sandbox) }),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('store failure in an export', () => {
  const hurried = ['--give-up-after', '1s'];

  test.concurrent.each(['refuse', 'reset'])(
    'a store failure exits with 3 and leaves all files unchanged: %s',
    async (how) => {
      await using night = await nightOfItsOwn();
      const { folder, sandbox, run } = night;
      const before = leaveLastNight(folder, 'reviews.csv');
      sandbox.misbehave({ outage: `${how}:1h:#4` });
      const ended = await run([...exporting, ...hurried]);
      const answered = sandbox.journal.filter(({ status }) => status === 200);
      expect(answered.some(({ path }) => path.includes('page=2'))).toBe(true);
      expect({ code: ended.code, said: ended.stderr }).toEqual({
        code: 3,
        said: expect.stringMatching(
          /^Error: (?:The store has given no usable answer|Page \d .* cannot be read)/m,
        ),
      });
      expect(lying(folder)).toEqual(before);
    },
  );
});

describe('concurrent exports', () => {
  test.each(['reviews.csv', 'reviews-{date}.csv'])(
    'a second export to %s names the process of the first',
    async (out) => {
      const store = await holdingStore();
      const run = inBase(store.environment);
      const line = ['export', 'reviews', '--out', out, ...patient];
      const held = store.hold();
      let pid: number | undefined;
      const first = run(line, {
        onStart: (child: { pid?: number }) => {
          pid = child.pid;
        },
      });
      const release = await held;

      const second = await run(line);
      expect({ code: second.code, said: second.stderr }).toEqual({
        code: 2,
        said: expect.stringMatching(
          /an export, process \d+, since 20.*\n.*the file then stays as it was\.\n/,
        ),
      });
      expect(second.stderr).toContain(`${join(cwd, out)} is in use: an export, process ${pid},`);
      const other = await run(['export', 'reviews', '--out', 'other.csv', ...patient]);
      expect({ code: other.code, said: other.stderr }).toMatchObject({ code: 0 });

      release();
      expect(await first).toMatchObject({ code: 0 });
      expect((await run(line)).code).toBe(0);
    },
  );
});
