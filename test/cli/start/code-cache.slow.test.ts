import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { cacheFolder, openCodeCache } from '../../../src/cli/start/code-cache.ts';
import { binary, temporaryFolder } from '../../support/run.ts';

const SOURCE = '(function () { return 40 + 2; })';

/** Loads these sources as one process does. Returns for each whether kept code was used. */
function processOf(
  folder: string,
  sources: Record<string, string>,
  { command = 'import', exitCode = 0 } = {},
) {
  const cache = openCodeCache(folder, command);
  const found = Object.entries(sources).map(([name, source]) => {
    let code: Buffer | undefined;
    const script = cache.compile(name, Buffer.from(source), (cachedData) => {
      code = cachedData;
      return new Script(source, { cachedData });
    });
    expect(script.runInThisContext()()).toBe(42);
    return code !== undefined && !script.cachedDataRejected;
  });
  cache.save(exitCode);
  return found;
}

/** Changes one byte of the compiled code. */
function damage(folder: string): void {
  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
  writeFileSync(join(folder, name), bytes);
}

describe('compiled code', () => {
  test('is found by the next process of the same command', () => {
    const folder = temporaryFolder();
    expect(processOf(folder, { a: SOURCE })).toEqual([false]);
    expect(processOf(folder, { a: SOURCE })).toEqual([true]);
    expect(processOf(folder, { a: SOURCE }, { command: 'validate' })).toEqual([false]);
  });

  test('of a file that is loaded later is added', () => {
    const folder = temporaryFolder();
    processOf(folder, { a: SOURCE });
    expect(processOf(folder, { b: SOURCE })).toEqual([false]);
    expect(processOf(folder, { a: SOURCE, b: SOURCE })).toEqual([true, true]);
  });

  test.each([[{}], [{ a: SOURCE }]])(
    'compiled code has all functions of a long command, also with code of a version before: %j',
    (before) => {
      const statements = Array.from({ length: 500 }, (_, at) => `x += ${at} * x;`).join('');
      const source = `(function () { function start() { let x = 1; ${statements} } start(); return 42; })`;
      // At each collection, in place of after some time.
      for (const flag of ['--expose-gc', '--stress-flush-code']) setFlagsFromString(flag);
      const collect = runInNewContext('gc') as () => void;
      const sizeAfter = (collections: number): number => {
        const folder = temporaryFolder();
        processOf(folder, before);
        const cache = openCodeCache(folder, 'import');
        const script = cache.compile('a', Buffer.from(source), () => new Script(source));
        expect(script.runInThisContext()()).toBe(42);
        for (let left = collections; left > 0; left--) collect();
        cache.save(0);
        return statSync(join(folder, readdirSync(folder)[0] as string)).size;
      };
      try {
        expect(sizeAfter(3)).toBe(sizeAfter(0));
      } finally {
        for (const flag of ['--no-expose-gc', '--no-stress-flush-code']) setFlagsFromString(flag);
      }
    },
  );

  test('is not used for another source of the same length, which V8 would accept', () => {
    const folder = temporaryFolder();
    processOf(folder, { a: SOURCE });
    expect(processOf(folder, { a: SOURCE.replace('40 + 2', '39 + 3') })).toEqual([false]);
  });

  test('that is damaged, cut or of another program is not used, and is written anew', () => {
    const folder = temporaryFolder();
    processOf(folder, { a: SOURCE });
    damage(folder);
    expect(processOf(folder, { a: SOURCE })).toEqual([false]);
    expect(processOf(folder, { a: SOURCE })).toEqual([true]);
    const [name = ''] = readdirSync(folder);
    const whole = readFileSync(join(folder, name));
    for (const bytes of [whole.subarray(0, -1), Buffer.from('something\nelse'), Buffer.alloc(0)]) {
      writeFileSync(join(folder, name), bytes);
      expect(processOf(folder, { a: SOURCE })).toEqual([false]);
    }
  });

  test('of a wrong command line is not kept: its first word may be any word', () => {
    const folder = temporaryFolder();
    processOf(folder, { a: SOURCE }, { exitCode: 2 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('does not fail if the folder is gone', () => {
    const folder = join(temporaryFolder(), 'gone');
    expect(processOf(folder, { a: SOURCE })).toEqual([false]);
  });
});

describe('an installation', () => {
  /** A copy of the bundle, with what it reads. */
  function installed(): { folder: string; list: (env?: Record<string, string>) => string } {
    const root = dirname(dirname(binary));
    const folder = join(temporaryFolder(), 'storeport');
    mkdirSync(folder);
    for (const name of ['dist', 'mappings', 'package.json'])
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.startsWith(join(root, 'dist', 'compiled')),
      });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const list = (env: Record<string, string> = {}) => {
      const words = [join(folder, 'dist', 'storeport.js'), 'mapping', 'list'];
      const ended = spawnSync(process.execPath, words, { encoding: 'utf8', env: { ...process.env, ...env } });
      expect([ended.status, ended.stderr]).toEqual([0, '']);
      return ended.stdout;
    };
    return { folder, list };
  }

  test('keeps compiled code beside its bundle, and runs with it', () => {
    const { folder, list } = installed();
    const first = list();
    expect(first).toContain('shopify-products');
    const kept = join(folder, 'dist', 'compiled');
    const names = readdirSync(kept);
    expect(names.length).toBe(1);
    expect(list()).toBe(first);
    expect(readdirSync(kept)).toEqual(names);
  });

  test('keeps none if NODE_DISABLE_COMPILE_CACHE is set', () => {
    const { folder, list } = installed();
    list({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(existsSync(join(folder, 'dist', 'compiled'))).toBe(false);
  });

  test('that cannot be written keeps compiled code in the cache of the user, or none', () => {
    const { folder, list } = installed();
    // A file in place of the folder: even root cannot make the folder.
    writeFileSync(join(folder, 'dist', 'compiled'), '');
    const cache = temporaryFolder();
    list({ XDG_CACHE_HOME: cache });
    expect(readdirSync(join(cache, 'storeport')).length).toBe(1);
    list({ XDG_CACHE_HOME: join(folder, 'package.json') });
  });
});

test('an account without a home has no compiled code, and no error', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const given = process.env.XDG_CACHE_HOME;
  delete process.env.XDG_CACHE_HOME;
  try {
    const unknown = () => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    expect(cacheFolder(join(file, 'dist'), unknown)).toBeUndefined();
  } finally {
    if (given !== undefined) process.env.XDG_CACHE_HOME = given;
  }
});
