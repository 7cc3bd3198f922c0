// Prints the differences for users between two builds: help texts, exit codes, messages and reports. For
// changes that must not alter behaviour.
//
//   node scripts/compare-builds.mjs OLD/dist/storeport.js NEW/dist/storeport.js FILE...
//
// Each FILE is imported into a sandbox and validated by both builds; `products:FILE`, `customers:FILE` and so on name
// another resource than products. Numbers that differ from run to run (ids, times, ports, durations) are made equal.
// Prints a unified diff; exits with 1 if there is one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const [oldBuild, newBuild, ...files] = process.argv.slice(2);
if (newBuild === undefined) {
  console.error('node scripts/compare-builds.mjs OLD/dist/storeport.js NEW/dist/storeport.js FILE...');
  process.exit(2);
}

const RESOURCES = /^(products|customers|suppliers|discounts|orders):(.+)$/;
const COMMAND = /^ {2}storeport ([a-z][a-z -]*?)(?= {2}| [<[]|$)/gm;

const work = mkdtempSync(join(tmpdir(), 'storeport-compare-'));
try {
  const [before, after] = [oldBuild, newBuild].map((build, index) => {
    const folder = join(work, ['before', 'after'][index]);
    mkdirSync(folder);
    describe(resolve(build), folder);
    return folder;
  });
  const { status, stdout } = spawnSync('diff', ['-ru', before, after], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  process.stdout.write(stdout === '' ? 'no difference\n' : stdout.replaceAll(work, ''));
  process.exitCode = status ?? 1;
} finally {
  rmSync(work, { recursive: true });
}

/** Writes all user-visible output of a build into `folder`. */
function describe(build, folder) {
  const seen = new Set();
  const queue = [''];
  for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
    if (seen.has(command)) continue;
    seen.add(command);
    const { text } = run(build, folder, [...command.split(' ').filter(Boolean), '--help']);
    writeFileSync(join(folder, `help ${command || 'storeport'}.txt`), text);
    for (const [, name] of text.matchAll(COMMAND)) queue.push(name.trim());
  }
  for (const [number, argument] of files.entries()) {
    const [, resource = 'products', file = argument] = RESOURCES.exec(argument) ?? [];
    for (const command of ['validate', 'import']) {
      const name = `${String(number).padStart(2, '0')} ${basename(file)} ${command}`;
      const out = join(folder, name);
      const sandbox = command === 'import' ? ['--sandbox', '--concurrency', '1'] : [];
      const args = [
        command,
        resource,
        resolve(file),
        '--no-progress',
        ...sandbox,
        '--out',
        out,
        '--home',
        `${out}.home`,
      ];
      const { text } = run(build, folder, args);
      writeFileSync(`${out}.txt`, text);
      rmSync(`${out}.home`, { recursive: true, force: true });
      for (const report of listed(out)) {
        const path = join(out, report);
        writeFileSync(path, stable(readFileSync(path, 'utf8'), folder));
      }
    }
  }
}

function listed(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function run(build, folder, args) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', COLUMNS: '110' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [build, ...args], {
    ...{ cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  return { text: stable(`exit ${status}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`, folder) };
}

/** Replaces values that differ from run to run. */
function stable(text, folder) {
  return (
    text
      .replaceAll(folder, 'FOLDER')
      .replace(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
      .replace(/\b[0-9a-f]{24}\b/g, 'ID')
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replace(/\b\d+(\.\d+)? ?(ms|s)\b/g, 'DURATION')
      .replace(/("(?:[a-z_]+_ms|records_per_second|rate)": ?)[\d.]+/g, '$1N')
      // results.csv: http_status, attempts, duration_ms
      .replace(/,(\d{3})?,(\d+),\d+,/g, ',$1,$2,N,')
  );
}
