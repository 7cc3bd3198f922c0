import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// A command line is a function of what it is given, see src/cli/io.ts: several run in one process, each in a folder of its
// own, with streams and variables of its own.

const src = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('page/'));

/** The only code that may touch the process: it gives a command line what it uses. */
const START = /^cli\/(?:start\/|storeport\.ts$)/;

/** Matching lines of code, without comments, outside of the start. */
function linesWith(pattern: RegExp): string[] {
  const found: string[] = [];
  for (const file of files) {
    if (START.test(file)) continue;
    const text = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const line of text.split('\n')) if (pattern.test(line)) found.push(`${file}: ${line.trim()}`);
  }
  return found;
}

test('only the start reads or changes the state of the process, or handles its events', () => {
  const state =
    /\bprocess\??\.(?:cwd|chdir|env|argv|std(?:in|out|err)|exit|exitCode|on|once|off|addListener)\b/;
  const other = /\bprocess\.(?:prependListener|removeListener|umask)\b|\bconsole\./;
  const found = [...linesWith(state), ...linesWith(other)].filter((line) => !line.includes("'process.exit"));
  // A constant that only a build of its own sets.
  expect(found).toEqual([
    'postgres/fence.ts: export const HAS_FENCE = process.env.STOREPORT_NO_FENCE === undefined;',
  ]);
});

/** Functions and types of node:fs that take no path. */
const WITHOUT_PATH = new Set([
  ...['closeSync', 'constants', 'fdatasync', 'fdatasyncSync', 'fstatSync', 'fsyncSync', 'ftruncateSync'],
  ...['readSync', 'writeSync', 'BigIntStats', 'Dirent', 'FileHandle', 'Stats'],
]);

test('relative paths are resolved in one module, not by the process', () => {
  const strays: string[] = [];
  for (const file of files) {
    if (START.test(file) || file === 'model/files/fs.ts') continue;
    const text = readFileSync(join(src, file), 'utf8');
    for (const [, names = '', module] of text.matchAll(
      /import (?:type )?([^;]*?) from '(node:(?:fs(?:\/promises)?|path))'/g,
    )) {
      const imported = names.replaceAll(/[{}]/g, '').split(',');
      for (const name of imported.map((each) => each.trim().replace(/^type | as .*$/g, '')))
        if (
          module === 'node:path'
            ? name === 'resolve' || name === 'relative'
            : name !== '' && !WITHOUT_PATH.has(name)
        )
          strays.push(`${file} imports ${name} from ${module}`);
    }
  }
  expect(strays).toEqual([]);
});

test('paths are not resolved by other means', () => {
  expect(linesWith(/import\('node:(?:fs|path)|\bnew (?:Database|Libsql)\((?!resolve\()/)).toEqual([]);
});
