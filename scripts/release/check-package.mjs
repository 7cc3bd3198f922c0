// Installs the package in an empty folder, as users do, and runs it there. Without a file it packs the working tree.
//
//   node scripts/release/check-package.mjs [FILE.tgz]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Ends with an error if the library does not do what it should. */
const PROGRAM = `
import { exportRecords, importRecords, type Product } from 'storeport';
import { startSandbox } from 'storeport/sandbox';

const sandbox = await startSandbox({ seed: 20 });
const store = { baseUrl: sandbox.url, clientId: sandbox.clientId, clientSecret: sandbox.clientSecret };
const products: Product[] = [{ name: 'Mug', reference: 'M-1' }, { name: 'Cup', reference: 'C-1' }];
const { outcomes } = await importRecords(products, { resource: 'products', store, home: 'home' }).summary();
if (outcomes.created !== 2 || sandbox.count('products') !== 2) throw new Error(JSON.stringify(outcomes));
let reviews = 0;
for await (const { _id } of exportRecords({ resource: 'reviews', store })) if (_id !== '') reviews += 1;
if (reviews !== 20) throw new Error(String(reviews));
await sandbox.close();
`;

const root = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'storeport-package-'));
try {
  const [given] = process.argv.slice(2);
  const file = given === undefined ? pack() : resolve(given);
  const empty = join(folder, 'empty');
  // An own package.json: otherwise npm looks for one in the folders above.
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{}');
  npm(['install', '--no-audit', '--no-fund', '--no-progress', file], empty);
  const found = storeport(['--version']).trim();
  if (found !== version) throw new Error(`The installed version is ${found}, and not ${version}.`);
  console.log(storeport(['demo']));
  checkLibrary();
  console.log(`${file} works: version ${version} on Node ${process.version}, ${process.platform}.`);

  /** Compiles a program that uses the library, with strict types of all that it imports, and runs it. */
  function checkLibrary() {
    writeFileSync(
      join(empty, 'package.json'),
      JSON.stringify({ ...JSON.parse(readFileSync(join(empty, 'package.json'), 'utf8')), type: 'module' }),
    );
    writeFileSync(join(empty, 'check.ts'), PROGRAM);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
      '--outDir',
      'out',
      'check.ts',
    ];
    execFileSync(process.execPath, [compiler, ...options], { cwd: empty, stdio: 'inherit' });
    execFileSync(process.execPath, ['out/check.js'], { cwd: empty, stdio: 'inherit' });
  }

  /** The command as npm installed it. */
  function storeport(words) {
    return npm(['exec', '--no', '--', 'storeport', ...words], empty);
  }
} finally {
  rmSync(folder, { recursive: true, maxRetries: 5 });
}

function pack() {
  const listed = npm(['pack', '--json', '--pack-destination', folder], root);
  // Scripts that npm runs before may print something above.
  const [{ filename }] = JSON.parse(listed.slice(listed.search(/^\[/m)));
  return join(folder, filename);
}

/** Standard error is passed on; a failure throws. On Windows npm is a script, which only a shell can start. */
function npm(words, cwd) {
  return execFileSync('npm', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}
