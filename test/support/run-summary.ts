import type { Summary } from '../../src/report/summary.ts';

/** The summary of an import of two products that arrived; `more` replaces parts of it. */
export function runSummary(more: Partial<Summary> = {}): Summary {
  return {
    run: '20261121-093012-a1b2',
    command: 'import',
    resource: 'products',
    mode: 'upsert',
    offset: 0,
    store: 'https://shop.example.com',
    files: [{ file: 'products.csv', sha256: '0'.repeat(64) }],
    mapping: { name: 'shopify-products', sha256: 'f'.repeat(64) },
    records: 2,
    outcomes: { created: 2 },
    problems: [],
    attempts: 2,
    started_at: '2026-11-21T09:30:12.000Z',
    finished_at: '2026-11-21T09:30:14.000Z',
    duration_ms: 2000,
    records_per_second: 1,
    versions: { storeport: '0.1.0', node: 'v20.20.0' },
    out: '/shop/storeport-runs/20261121-093012-a1b2',
    reports: {
      ...{ results: 'results.csv', errors: ['errors.csv'], in_doubt: ['in-doubt.csv'] },
      page: 'report.html',
    },
    exit_code: 0,
    ...more,
  };
}
