import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTransaction, openDatabase } from '../../../src/ledger/database/database.ts';
import { localLedger, openLedger, openLedgerView } from '../../../src/ledger/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { buildLedger, keyAt, LARGE_STORE } from './build-ledger.ts';

// Builds a large ledger, and measures it: scripts/large-ledger.mjs says how to call it.

const [home = '', identitiesText = '', step] = process.argv.slice(2);
const identities = Number(identitiesText);
const LOOK_UPS = 300;
const IMPORTED = 1000;

/** Measurements, each in a process of its own, which prints its figures as JSON. */
const STEPS: Readonly<Record<string, () => Promise<object> | object>> = {
  open() {
    const ms = timed(() => openDatabase(home).close());
    return { open_and_close_ms: ms, rss_mb: rss() };
  },
  async hasHistory() {
    const start = performance.now();
    await localLedger(home).hasHistory('products');
    return { ms: performance.now() - start };
  },
  lookUp() {
    const view = openLedgerView(home);
    const lookup = view.history(LARGE_STORE, 'products').lookup?.now;
    const keys = Array.from({ length: LOOK_UPS }, (_, n) => keyAt(randomAt(n)));
    const missing = keys.map((key) => `${key}-new`);
    const each = (list: readonly string[]) => list.map((key) => timed(() => lookup?.([key])));
    const known = lookup?.(keys).size;
    if (process.argv[5] === 'cold') dropCaches();
    const [first, second, absent] = [each(keys), each(keys), each(missing)];
    view.close();
    return { known, first: spread(first), again: spread(second), absent: spread(absent) };
  },
  /** Dies with a commit in SQLite's log. */
  die() {
    const database = openDatabase(home);
    inTransaction(database, () => database.exec('update run set worked_ms = worked_ms + 1 where number = 1'));
    process.kill(process.pid, 'SIGKILL');
    return {};
  },
  async list() {
    const ledger = openLedger(home);
    const [run] = await ledger.runs();
    const start = performance.now();
    if (run) await ledger.outcomes(run);
    const ms = performance.now() - start;
    await ledger.close();
    return { outcomes_of_one_run_ms: ms };
  },
};

if (step) print(await STEPS[step]?.());
else await measure();

async function measure(): Promise<void> {
  mkdirSync(home, { recursive: true });
  const start = performance.now();
  buildLedger(home, identities, (built) => {
    if (built % 10_000_000 === 0) print({ built, s: Math.round((performance.now() - start) / 1000) });
  });
  child('open');
  const bytes = statSync(join(home, 'ledger.db')).size + statSync(join(home, 'ledger.sums')).size;
  print({ identities, bytes, bytes_an_identity: Math.round(bytes / identities) });
  dropCaches();
  print({ open_cold: child('open') });
  print({ open_warm: child('open') });
  dropCaches();
  print({ has_history_cold: child('hasHistory') });
  print({ has_history_warm: child('hasHistory') });
  print({ look_up_cold_ms: child('lookUp', 'cold') });
  print({ look_up_warm_ms: child('lookUp') });
  dropCaches();
  print({ run_list_cold: child('list') });
  child('die');
  dropCaches();
  print({ open_after_kill_cold: child('open') });
  child('die');
  print({ open_after_kill_again: child('open') });
  print({ import_large: await importInto(home) });
  const empty = mkdtempSync(join(tmpdir(), 'storeport-small-ledger-'));
  print({ import_empty: await importInto(empty) });
  rmSync(empty, { recursive: true });
}

/** Runs one step in a process of its own. */
function child(name: string, ...more: string[]): unknown {
  const { stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), home, identitiesText, name, ...more],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const text = stdout.toString();
  return text === '' ? undefined : JSON.parse(text);
}

/** Imports new products with the built command, and returns its duration and the most memory that it had. */
async function importInto(folder: string) {
  const sandbox = await startSandbox();
  if (folder === home) moveTo(sandbox.url, LARGE_STORE);
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-large-import-'));
  try {
    const lines = Array.from({ length: IMPORTED }, (_, n) => `Product ${n},NEW-${process.pid}-${n}`);
    writeFileSync(join(cwd, 'in.csv'), `name,reference\n${lines.join('\n')}\n`);
    const binary = fileURLToPath(new URL('../../dist/storeport.js', import.meta.url));
    const start = performance.now();
    const command = spawn(
      process.execPath,
      [binary, 'import', 'products', 'in.csv', '--out', 'out', '--quiet', '--home', folder],
      {
        cwd,
        stdio: 'ignore',
        env: {
          ...process.env,
          STOREPORT_BASE_URL: sandbox.url,
          STOREPORT_CLIENT_ID: sandbox.clientId,
          STOREPORT_CLIENT_SECRET: sandbox.clientSecret,
        },
      },
    );
    let peak = 0;
    const timer = setInterval(() => {
      const status = `/proc/${command.pid}/status`;
      if (!existsSync(status)) return;
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0));
    }, 20);
    const code = await new Promise((ended) => command.on('close', ended));
    clearInterval(timer);
    return { code, ms: Math.round(performance.now() - start), peak_mb: Math.round(peak / 1000) };
  } finally {
    if (folder === home) moveTo(LARGE_STORE, sandbox.url);
    await sandbox.close();
    rmSync(cwd, { recursive: true });
  }
}

/** The store of the ledger gets another address. */
function moveTo(store: string, from: string): void {
  const database = openDatabase(home);
  inTransaction(database, () => {
    database.prepare('update run set store = ? where store = ?').run(store, from);
    database.prepare('update target set store = ? where store = ?').run(store, from);
  });
  database.close();
}

/** A number below that of the identities; the same sequence each time. */
function randomAt(n: number): number {
  return Number((BigInt(n + 1) * 0x9e3779b97f4a7c15n) % BigInt(identities));
}

function dropCaches(): void {
  spawnSync('sync');
  writeFileSync('/proc/sys/vm/drop_caches', '3');
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return rounded(performance.now() - start);
}

function spread(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)];
  return { median: at(0.5), p95: at(0.95), most: at(1) };
}

function rss(): number {
  return Math.round(process.memoryUsage().rss / 1_000_000);
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function print(figures: object | undefined): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
