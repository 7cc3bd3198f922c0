import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { bundledPackages, licencesText } = await import(join(root, 'scripts/third-party.mjs'));

/** Bundles a program that uses packages with these licences. */
async function bundleWith(
  packages: Readonly<Record<string, { readonly license: unknown; readonly text?: string }>>,
) {
  const folder = temporaryFolder();
  for (const [name, { license, text }] of Object.entries(packages)) {
    const home = join(folder, 'node_modules', name);
    mkdirSync(home, { recursive: true });
    const about = { name, version: '1.2.3', license, author: { name: 'Ann Lee' }, main: 'index.js' };
    writeFileSync(join(home, 'package.json'), JSON.stringify(about));
    writeFileSync(
      join(home, 'index.js'),
      `export const used = Math.random() + '${name}'; export const other = 1;`,
    );
    if (text !== undefined) writeFileSync(join(home, 'LICENSE.md'), text);
  }
  const names = Object.keys(packages);
  const code = names.map(
    (name, index) => `import { used as u${index} } from '${name}'; console.log(u${index});`,
  );
  writeFileSync(join(folder, 'main.js'), code.join('\n'));
  const { metafile } = await build({
    ...{ absWorkingDir: folder, entryPoints: ['main.js'], bundle: true, write: false, metafile: true },
    ...{ outdir: 'out', platform: 'node', format: 'esm', logLevel: 'silent' },
  });
  return bundledPackages(folder, [metafile]);
}

test('each bundled package is named with its version and the text of its licence', async () => {
  const text = licencesText(
    await bundleWith({ '@a/one': { license: 'MIT', text: 'one may be used' }, two: { license: 'ISC' } }),
  );
  expect(text).toContain('@a/one 1.2.3 (MIT)');
  expect(text).toContain('one may be used');
  expect(text).toContain('two 1.2.3 (ISC)');
  expect(text).toMatch(/Copyright \(c\) Ann Lee\n\nPermission to use, copy, modify/);
});

test.each(['GPL-3.0', 'UNLICENSED', '(MIT OR GPL-2.0)', 'SEE LICENSE IN x', undefined, { type: 'MIT' }])(
  'a bundled package with the licence %j fails the build',
  async (license) => {
    await expect(bundleWith({ two: { license, text: 'some text' } })).rejects.toThrow(
      /^The code of two 1\.2\.3 is in dist, and its licence/,
    );
  },
);

test('a bundled package whose licence has no text anywhere fails the build', async () => {
  await expect(bundleWith({ two: { license: 'Apache-2.0' } })).rejects.toThrow(
    'two 1.2.3 has no file with its licence Apache-2.0',
  );
});

test('all packages in the code of the program are in the file', async () => {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: ['src/cli/main.ts'], bundle: true, splitting: true, write: false },
    ...{ outdir: 'out', platform: 'node', format: 'esm', external: ['libsql'], metafile: true },
    logLevel: 'silent',
  });
  const text = licencesText(bundledPackages(root, [metafile]));
  for (const name of ['undici', 'pg', 'pg-boss', 'yargs', 'zod', '@opentelemetry/sdk-trace-base', 'saxes'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|Apache-2\\.0)\\)$`, 'm'));
});
