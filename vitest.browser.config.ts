import { defineConfig } from 'vitest/config';

/** Tests of report.html in Chromium: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/browser/make-pages.ts'],
    testTimeout: 120_000,
    // The browser answers when it has time.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // Files share the modules that their worker has loaded.
    isolate: false,
    maxWorkers: 2,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.vitest/browser-results.json' }]]
      : ['default'],
  },
});
