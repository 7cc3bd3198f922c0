import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type { Usage } from './child.ts';

const BUSY_US = 100_000;

/** A worker that computes for this CPU time. `then`: what it does afterwards. */
const busy = (then: string) => `
  const { parentPort } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  const us = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1000;
  const begun = us();
  while (us() < begun + ${BUSY_US});
  parentPort.postMessage('computed');
  ${then}
`;

/** One worker ends by itself, two are terminated, and one runs when the process ends. */
const PROGRAM = `
  const { once } = require('node:events');
  const { join } = require('node:path');
  const { Worker } = require('node:worker_threads');
  (async () => {
    const start = (name) => new Worker(join(__dirname, name + '-worker.js'));
    await once(start('ending'), 'exit');
    const terminated = [start('endless'), start('endless')];
    await Promise.all(terminated.map((worker) => once(worker, 'message')));
    await Promise.all(terminated.map((worker) => worker.terminate()));
    await once(start('running'), 'message');
    process.exit();
  })();
`;

test.skipIf(!existsSync('/proc/thread-self/schedstat'))(
  'the CPU time of each worker is known, however it ends',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'storeport-measure-'));
    try {
      const preload = join(folder, 'measure.mjs');
      await build({
        entryPoints: [join(import.meta.dirname, 'children', 'measure.ts')],
        outfile: preload,
        bundle: true,
        format: 'esm',
        platform: 'node',
      });
      const stays = 'setInterval(() => {}, 1000);';
      for (const [name, then] of [
        ['ending', ''],
        ['endless', stays],
        ['running', stays],
      ] as const)
        writeFileSync(join(folder, `${name}-worker.js`), busy(then));
      const program = join(folder, 'program.cjs');
      writeFileSync(program, PROGRAM);
      const file = join(folder, 'usage.json');
      const { status, stderr } = spawnSync(process.execPath, ['--import', preload, program], {
        env: { PATH: process.env.PATH, BENCH_USAGE: file },
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { cpuUs, threadUs = {} } = JSON.parse(readFileSync(file, 'utf8')) as Usage;
      expect(Object.keys(threadUs).sort()).toEqual(['ending', 'endless', 'main', 'running']);
      // The counter of a running thread lags by up to a tick of the system.
      const TICK_US = 10_000;
      expect(threadUs.ending).toBeGreaterThan(BUSY_US - TICK_US);
      expect(threadUs.running).toBeGreaterThan(BUSY_US - TICK_US);
      expect(threadUs.endless).toBeGreaterThan(2 * (BUSY_US - TICK_US));
      const sum = Object.values(threadUs).reduce((total, us) => total + us, 0);
      expect(sum).toBeLessThan(cpuUs + TICK_US);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
