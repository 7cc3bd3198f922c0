// Loaded before the real binary with NODE_OPTIONS=--import. Records in order what the process passes to the
// disk and to the store, kills it at one of these moments, or makes the disk fail. FAULT_PLAN has the plan, see
// plan.ts. It is loaded into each thread, and has an effect in the one that the plan is for.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { basename } from 'node:path';
import { isMainThread, parentPort } from 'node:worker_threads';

const given = JSON.parse(process.env.FAULT_PLAN ?? '{}');
/** A thread has the name of its program, such as fold-worker.cjs. */
const thread = isMainThread ? 'main' : basename(process.argv[1], '-worker.cjs');
const plan = thread === (given.thread ?? 'main') ? given : {};
const real = { ...fs };
const trace = plan.trace === undefined ? undefined : real.openSync(plan.trace, 'a');
/** Descriptors of the logs of runs. */
const logs = new Set();
const paths = new Map();
const calls = { write: 0, sync: 0, sql: 0 };
let moments = 0;

/** A moment between two operations of the process. The plan may kill it here. */
function moment(what, text, descriptor) {
  moments += 1;
  if (trace !== undefined)
    real.writeSync(trace, `${JSON.stringify({ what, text, descriptor, ms: performance.now() })}\n`);
  if (moments === plan.killAt) process.kill(process.pid, 'SIGKILL');
  // Ends the thread alone, if it is not the main one.
  if (moments === plan.endAt) process.exit(7);
}

const WORDS = { ENOSPC: 'no space left on device', EIO: 'i/o error' };

/** Error of the system, or of SQLite, if this call must fail. A full disk stays full. */
function failureOf(call) {
  calls[call] += 1;
  const { fail } = plan;
  if (fail?.call !== call || calls[call] < fail.from) return undefined;
  if (call === 'sql') return Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const syscall = call === 'write' ? 'write' : 'fdatasync';
  return Object.assign(new Error(`${fail.code}: ${WORDS[fail.code]}, ${syscall}`), {
    code: fail.code,
    syscall,
  });
}

if (given.hidden !== undefined)
  fs.existsSync = (path) => !String(path).endsWith(given.hidden) && real.existsSync(path);

if (given.cores !== undefined) os.availableParallelism = () => given.cores;

// Every message of a thread is a moment.
if (parentPort) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (...args) => {
    moment('posts');
    post(...args);
  };
}

fs.openSync = (path, ...rest) => {
  const isLog = /\d{8}-\d{6}-[0-9a-f]{4}(\.2)?\.log$/.test(String(path));
  if (isLog) moment('opens log');
  const descriptor = real.openSync(path, ...rest);
  if (isLog) logs.add(descriptor);
  paths.set(descriptor, String(path));
  return descriptor;
};

fs.closeSync = (descriptor) => {
  logs.delete(descriptor);
  real.closeSync(descriptor);
};

fs.writeSync = (descriptor, bytes, ...rest) => {
  if (!logs.has(descriptor)) return real.writeSync(descriptor, bytes, ...rest);
  const [offset = 0, length = bytes.length - offset, position = null] = rest;
  moment('writes');
  const failure = failureOf('write');
  // If the process is killed in the middle, or the disk is full, half of the bytes arrive.
  real.writeSync(descriptor, bytes, offset, length >> 1, position ?? 0);
  moment('half written');
  if (failure) throw failure;
  const written = real.writeSync(descriptor, bytes, offset, length, position ?? 0);
  moment(
    'written',
    bytes
      .subarray(offset, offset + length)
      .toString()
      .replaceAll('\0', ''),
  );
  return written;
};

fs.fdatasync = (descriptor, done) => {
  const failure = failureOf('sync');
  moment('syncs', undefined, descriptor);
  const ended = (error) => {
    moment(error ? 'sync failed' : 'synced', undefined, descriptor);
    done(error);
  };
  if (failure) setImmediate(ended, failure);
  else real.fdatasync(descriptor, ended);
};

fs.fdatasyncSync = (descriptor) => {
  const failure = failureOf('sync');
  moment('syncs');
  if (failure) {
    moment('sync failed');
    throw failure;
  }
  real.fdatasyncSync(descriptor);
  moment('synced');
};

for (const name of ['fsyncSync', 'rmSync', 'writeFileSync'])
  fs[name] = (...args) => {
    moment(name);
    const result = real[name](...args);
    moment(`${name} done`, String(paths.get(args[0]) ?? args[0]));
    return result;
  };
syncBuiltinESMExports();

// SQLite writes by itself: only the moments between its statements are visible here.
const Database = createRequire(process.argv[1])('libsql');
const Statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'));
for (const [owner, name] of [
  [Database.prototype, 'exec'],
  [Statement, 'run'],
]) {
  const call = owner[name];
  owner[name] = function (...args) {
    // BEGIN and ROLLBACK need no space.
    const isSpared = args[0] === 'rollback' || args[0] === 'begin immediate';
    moment(isSpared ? args[0] : `sql ${name}`, name === 'exec' ? args[0] : undefined);
    const failure = isSpared ? undefined : failureOf('sql');
    if (failure) {
      moment('sql failed');
      throw failure;
    }
    const result = call.apply(this, args);
    moment(`sql ${name} done`);
    return result;
  };
}

/** Standard output is a socket too if it is a pipe; only requests count. */
function whileSending(text, write) {
  if (!/^(GET|POST|PUT) /.test(text)) return write();
  moment('sends', text);
  write();
  return moment('sent');
}

const { _write, _writev } = net.Socket.prototype;
net.Socket.prototype._write = function (chunk, ...rest) {
  return whileSending(String(chunk), () => _write.call(this, chunk, ...rest));
};
net.Socket.prototype._writev = function (chunks, done) {
  const text = chunks.map(({ chunk }) => String(chunk)).join('');
  return whileSending(text, () => _writev.call(this, chunks, done));
};
