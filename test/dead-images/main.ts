import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { refusedOrigin, startImageServer } from '../support/images/image-server.ts';

/** See scripts/dead-images.mjs. */
const rate = process.argv[2] ?? '500';
const RECORDS = 10_000;
const HOSTS = 4;
const DEAD = 300;
const TIMEOUT = '2s';

const servers = await Promise.all(Array.from({ length: HOSTS }, () => startImageServer()));
const untrusted = await startImageServer({ tls: 'good' });
const refused = await refusedOrigin();
const folder = mkdtempSync(join(tmpdir(), 'storeport-dead-images-'));

/** Ways in which an image is dead. `host`: the server that the others of the same number are on. */
const WAYS: Readonly<Record<string, (host: string, n: number) => string>> = {
  'status 404': (host, n) => `${host}/404/${n}.jpg`,
  'status 410': (host, n) => `${host}/410/${n}.jpg`,
  'a server that hangs': (host, n) => `${host}/hangs/${n}.jpg`,
  'an unknown host': (_, n) => `http://images-${n % 5}.invalid/${n}.jpg`,
  'a refused connection': (_, n) => `${refused}/${n}.jpg`,
  'a certificate that is not valid': (_, n) => `${untrusted.origin}/${n}.jpg`,
};
const ways = Object.entries(WAYS);

const images = Array.from({ length: RECORDS }, (_, n) => {
  const host = servers[n % HOSTS]?.origin ?? '';
  const isDead = n % (RECORDS / DEAD) < 1;
  const [way, address] = ways[Math.floor(n / (RECORDS / DEAD)) % ways.length] ?? [];
  return isDead && address
    ? { reference: `P${n}`, way, address: address(host, n) }
    : { reference: `P${n}`, way: undefined, address: `${host}/ok/${n}.jpg` };
});
const rows = images.map(({ reference, address }) => `${reference},Product ${reference},${address}`);
writeFileSync(join(folder, 'a.csv'), `reference,name,images.0.src\n${rows.join('\n')}\n`);

interface Checked {
  readonly seconds: number;
  /** References of records with a dead image. */
  readonly dead: ReadonlySet<string>;
  /** Requests that the servers got, by `GET /ok/1.jpg`. */
  readonly requests: ReadonlyMap<string, number>;
  readonly summary: string;
}

async function check(): Promise<Checked> {
  const before = servers.map(({ hits }) => hits.length);
  const startedMs = performance.now();
  const args = [
    'validate',
    'products',
    'a.csv',
    '--check-images',
    '--allow-private-images',
    '--image-rate',
    rate,
    '--timeout',
    TIMEOUT,
  ];
  const child = spawn(process.execPath, [resolve('dist/storeport.js'), ...args, '--out', 'out', '--json'], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  let stdout = '';
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  await new Promise((ended) => {
    child.once('close', ended);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const results = parse(readFileSync(join(folder, 'out/results.csv')), { columns: true }) as Record<
    string,
    string
  >[];
  const requests = new Map<string, number>();
  for (const [index, { hits }] of servers.entries())
    for (const { method, path } of hits.slice(before[index])) {
      const name = `${method} ${index} ${path}`;
      requests.set(name, (requests.get(name) ?? 0) + 1);
    }
  return {
    ...{ seconds, requests },
    dead: new Set(results.filter(({ code }) => code === 'image-dead').map(({ key = '' }) => key)),
    summary: JSON.stringify(JSON.parse(stdout).images),
  };
}

let isWrong = false;
function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  isWrong = true;
  console.log(`WRONG: ${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

function judge(checked: Checked, asked: number): void {
  for (const [way] of ways) {
    const these = images.filter((image) => image.way === way);
    const found = these.filter(({ reference }) => checked.dead.has(reference)).length;
    console.log(`  ${String(found).padStart(4)} of ${these.length} dead by ${way}`);
    expectSame(way, found, these.length);
  }
  expectSame('dead images', checked.dead.size, DEAD);
  const fine = [...checked.requests].filter(([name]) => name.includes('/ok/'));
  expectSame('requests for images that are fine', fine.length, 2 * asked);
  expectSame('addresses that were asked twice', fine.filter(([, count]) => count > 1).length, 0);
  console.log(`  ${checked.seconds.toFixed(1)} s, ${checked.summary}`);
}

try {
  console.log(`The first check, with ${rate} requests a second for each of ${HOSTS} hosts:`);
  judge(await check(), RECORDS - DEAD);
  console.log('The second check:');
  judge(await check(), 0);
} finally {
  rmSync(folder, { recursive: true });
  await Promise.all([...servers, untrusted].map((server) => server.close()));
}
process.exit(isWrong ? 1 : 0);
