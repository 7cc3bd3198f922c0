import { configDefaults, defineConfig } from 'vitest/config';

// Prints the seed and the share of the cases before all tests, and sets them in each worker.
const PROPERTY_TESTS = 'test/support/property-tests.ts';

/** Runs once before all tests. */
export const SETUP = ['test/support/build.ts', PROPERTY_TESTS];

/** On the console, and in CI also as a file. */
export const reportersFor = (name: string) =>
  process.env.CI ? ['default', ['json', { outputFile: `node_modules/.vitest/${name}.json` }]] : ['default'];

/**
 * How V8 runs the workers. A file runs for seconds, so most of what V8 compiles for speed is never worth its time, and on two
 * cores the threads that help to collect garbage take time from the tests: a sixth of all CPU in all.
 */
export const execArgv = [
  '--interrupt-budget=1000000',
  '--no-parallel-scavenge',
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Suites of their own: `npm run test:slow`, `test:browser`, which needs Chromium, and `test:fleet`, which needs a server of
    // Postgres.
    exclude: [
      ...configDefaults.exclude,
      'test/**/*.slow.test.ts',
      'test/browser/**',
      'test/**/*.fleet.test.ts',
    ],
    globalSetup: [...SETUP, 'test/support/memory-folder.ts'],
    // `platforms.ts` leaves out tests that need what a system does not have.
    setupFiles: [PROPERTY_TESTS, ...(process.platform === 'linux' ? [] : ['test/support/platforms.ts'])],
    // The same database everywhere, and quicker than a server, which syncs each commit to a disk. `npm run test:fleet` has a server.
    env: { STOREPORT_TEST_DATABASE: process.env.STOREPORT_TEST_DATABASE ?? 'pglite' },
    // End-to-end tests start real processes; a noisy machine is no reason to fail one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files share the modules that their worker has loaded: by itself, each would load them for more than half a second.
    isolate: false,
    // Most of the time goes by in processes that wait for each other: on two cores, three workers take a sixth less time
    // than two. By itself vitest takes one.
    maxWorkers: 3,
    execArgv,
    reporters: reportersFor('results') as never,
  },
});
