import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { importRecords } from '../../src/library/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { libraryForEachTest } from './fixture.ts';

// The flags of V8 are those of the whole process.
vi.mock('../../src/store/http/parser-tiering.ts', () => ({
  withLateTierUp() {
    throw new Error('the library has changed a flag of V8');
  },
}));

const library = libraryForEachTest();

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const run = (name: string, baseUrl = library.sandbox.url) => {
  const { store, ...options } = library.options();
  return importRecords([{ name, reference: name }], { ...options, store: { ...store, baseUrl } });
};

const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
const listeners = () => EVENTS.map((event) => process.listenerCount(event));

test('a run prints nothing, ends nothing and leaves no handlers behind', async () => {
  const said = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const exit = vi.spyOn(process, 'exit');
  const before = listeners();
  const during: number[][] = [];
  for await (const event of run('A')) if (event.type === 'record') during.push(listeners());
  expect(during).toEqual([before]);
  expect(listeners()).toEqual(before);
  for (const stream of said) expect(stream).not.toHaveBeenCalled();
  expect(exit).not.toHaveBeenCalled();
});

test('settings and proxies of the environment are not read', async () => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy']) vi.stubEnv(name, 'http://proxy.invalid:1');
  vi.stubEnv('STOREPORT_BASE_URL', 'http://127.0.0.1:1');
  vi.stubEnv('STOREPORT_HOME', join(library.folder, 'elsewhere'));
  expect((await run('A').summary()).outcomes).toEqual({ created: 1 });
  expect(readdirSync(library.folder).sort()).toEqual(['home']);
});

test('two runs for different stores work at the same time in one process', async () => {
  const other = await startSandbox();
  try {
    const summaries = await Promise.all([run('A').summary(), run('B', other.url).summary()]);
    expect(summaries.map(({ outcomes }) => outcomes)).toEqual([{ created: 1 }, { created: 1 }]);
    expect([library.sandbox, other].map((each) => each.records('products'))).toMatchObject([
      [{ reference: 'A' }],
      [{ reference: 'B' }],
    ]);
  } finally {
    await other.close();
  }
});

test('a second run for the same store is refused while the first one works', async () => {
  const first = run('A');
  const events = first[Symbol.asyncIterator]();
  for (;;) {
    const { value } = await events.next();
    if (value?.type === 'began') break;
  }
  await expect(run('B').summary()).rejects.toMatchObject({ name: 'ConfigError', reason: 'in-use' });
  await events.return?.(undefined);
});
