import { configDefaults, defineConfig } from 'vitest/config';
import fast, { reportersFor, SETUP } from './vitest.config.ts';

/**
 * Tests that are slow by nature: kills, outages, full disks, signals, threads, memory, packaging, the benchmark's own, and the
 * longer part of some topics.
 */
export default defineConfig({
  test: {
    ...fast.test,
    // They wait for processes, outages and clocks more than the fast ones.
    maxWorkers: 4,
    // Each starts many processes, beside those of other tests: on a busy machine, a minute is too short.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    include: ['test/**/*.slow.test.ts'],
    exclude: [...configDefaults.exclude],
    // Their temporary files are on a disk: some fill it, or measure memory.
    globalSetup: SETUP,
    // Not merged: both suites would then write both files of results.
    reporters: reportersFor('slow-results') as never,
  },
});
