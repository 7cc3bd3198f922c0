import { defineConfig } from 'vitest/config';

/** Tests that need a server of Postgres: processes that are killed, connections that are cut, and the real binary. */
export default defineConfig({
  test: {
    // Also what `npm test` runs on PGlite, which has one connection.
    include: ['test/**/*.fleet.test.ts', 'test/postgres/**/*.test.ts', 'test/fleet/stores.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/fleet-database.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    maxWorkers: 2,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.vitest/fleet-results.json' }]]
      : ['default'],
  },
});
