// Installs the package in an empty folder, as users do, and runs it there. Without a file it packs the working tree.
//
//   node scripts/release/check-package.mjs [FILE.tgz]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  console.log(`${file} works: version ${version} on Node ${process.version}, ${process.platform}.`);

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
