import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The examples of docs/library.md: compiled with strict types against the packed files, then run.

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

/** Each example is a program, with what it prints below it. */
const EXAMPLES = [...page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
  ([, code = '', printed = '']) => ({ code, printed }),
);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-examples-'));
  const installed = join(folder, 'node_modules', 'storeport');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, ['scripts/library-types.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', filename, '--strip-components=1', '-C', installed], { cwd: folder });
  // Replaces the dependencies that npm would install.
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'), 'junction');
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        types: ['node'],
        outDir: 'out',
      },
      include: ['*.ts'],
    }),
  );
  for (const [index, { code }] of EXAMPLES.entries())
    writeFileSync(join(folder, `example-${index}.ts`), code);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('every program of the page is followed by what it prints', () => {
  expect(EXAMPLES.length).toBeGreaterThan(5);
  expect(page.match(/```ts\n/g)).toHaveLength(EXAMPLES.length);
});

test('the examples compile with strict types, also those of the package itself', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test.each(EXAMPLES.map((example, index) => ({ index, ...example })))(
  'example $index prints what the page says',
  ({ index, printed }) => {
    const home = join(folder, `home-${index}`);
    mkdirSync(home);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(folder, 'out', `example-${index}.js`)],
      { cwd: home, encoding: 'utf8' },
    );
    expect({ status, stderr, lines: stdout.split('\n').sort() }).toEqual({
      status: 0,
      stderr: '',
      lines: printed.split('\n').sort(),
    });
  },
);
