import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Product } from '../../src/library/index.ts';
import { libraryForEachTest } from './fixture.ts';

const library = libraryForEachTest();

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The built library with the programs of the threads beside it, so that a thread reads large files. */
async function libraryWithThreads() {
  const folder = join(library.folder, 'threads');
  cpSync(join(root, 'dist'), folder, { recursive: true });
  cpSync(join(root, 'dist', 'library'), folder, { recursive: true });
  cpSync(join(root, 'package.json'), join(library.folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(library.folder, 'node_modules'), 'junction');
  expect(existsSync(join(folder, 'reader-worker.cjs'))).toBe(true);
  const built: typeof import('../../src/library/index.ts') = await import(
    pathToFileURL(join(folder, 'index.js')).href
  );
  return built;
}

test('records of a large file are passed to functions of the program, which no thread could call', async () => {
  const { importRecords, validateRecords } = await libraryWithThreads();
  const rows = Array.from({ length: 3000 }, (_, n) => `P-${n},Product ${n},${'x'.repeat(2000)}`);
  const file = join(library.folder, 'large.csv');
  writeFileSync(file, `reference,name,description\n${rows.join('\n')}\n`);
  let count = 0;
  const own = {
    transform: (record: Partial<Product>) => ({ ...record, description: 'short' }),
    check({ reference, description }: Partial<Product>) {
      count++;
      return reference?.endsWith('7') || description !== 'short' ? 'no sevens' : undefined;
    },
  };
  const options = { ...library.options(), ...own };
  const checked = await validateRecords({ files: [file] }, options).summary();
  expect([count, checked.outcomes]).toEqual([3000, { planned: 2700, invalid: 300 }]);
  const sent = await importRecords({ files: [file] }, options).summary();
  expect([count, sent.outcomes]).toEqual([6000, { created: 2700, invalid: 300 }]);
});
