import { configDefaults, defineConfig } from 'vitest/config';
import fast, { reportersFor, SETUP } from './vitest.config.ts';

/** Tests that are slow by nature: kills, outages, full disks, signals, threads, memory, packaging, and the benchmark's own. */
export default defineConfig({
  test: {
    ...fast.test,
    // They wait for processes, outages and clocks more than the fast ones.
    maxWorkers: 4,
    include: ['test/**/*.slow.test.ts'],
    exclude: [...configDefaults.exclude],
    // Their temporary files are on a disk: some fill it, or measure memory.
    globalSetup: SETUP,
    // Not merged: both suites would then write both files of results.
    reporters: reportersFor('slow-results') as never,
  },
});
