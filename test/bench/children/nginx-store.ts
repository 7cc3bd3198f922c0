/**
 * A cheap store that nginx serves, with the protocol of cheap-store.ts. Its log, which is written in large pieces, counts the
 * creates. It ends when it is asked for them.
 *
 *     node nginx-store.js      first message: {url, clientId, clientSecret}
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMPTY_LIST, TOKEN } from './cheap-answers.ts';

const folder = mkdtempSync(join(tmpdir(), 'storeport-nginx-'));
const log = join(folder, 'creates.log');
const port = await freePort();

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
  (kind) => `${kind}_temp_path ${join(folder, kind)};`,
);

writeFileSync(
  join(folder, 'nginx.conf'),
  `daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr error;
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
  default_type application/json;
  keepalive_requests 1000000000;
  client_body_buffer_size 1m;
  map $request_id $short_id { "~^(?<first>.{24})" $first; }
  log_format moment '$msec';
  access_log off;
  server {
    listen 127.0.0.1:${port};
    location ~ authentication { return 200 '${JSON.stringify(TOKEN)}'; }
    location = /api/products/create {
      access_log ${log} moment buffer=512k;
      return 200 '{"status":"success","data":{"_id":"$short_id"}}';
    }
    location / { return 200 '${JSON.stringify(EMPTY_LIST)}'; }
  }
}
`,
);

const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] });

/** A port that was free a moment ago: nginx does not say which one it was given. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function isServing(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );
}

while (!(await isServing())) {
  if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
  await sleep(20);
}
process.send?.({ url: `http://127.0.0.1:${port}`, clientId: 'cheap', clientSecret: 'cheap-secret' });

/** Ends nginx, which then writes what it holds of its log. */
const ended = once(nginx, 'exit');
async function end(): Promise<void> {
  nginx.kill('SIGQUIT');
  await ended;
}

process.on('message', async () => {
  await end();
  const moments = readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number);
  process.send?.({ creates: moments.length, ms: lengthOf(moments) });
});

/** From the first to the last, in ms. Entries are in the order of the answers, give or take a few. */
function lengthOf(moments: readonly number[]): number {
  if (moments.length === 0) return 0;
  return (Math.max(...moments.slice(-1000)) - Math.min(...moments.slice(0, 1000))) * 1000;
}

process.on('disconnect', async () => {
  await end();
  rmSync(folder, { recursive: true });
  process.exit();
});
