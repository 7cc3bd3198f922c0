import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { booksOf, environmentOf, readReports, sample, storeport, temporaryFolder } from '../support/run.ts';

interface Expected {
  readonly resource: string;
  readonly mapping: string;
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly issues: readonly { readonly row: number; readonly code: string }[];
  readonly warnings?: readonly { readonly code: string }[];
}

const EXPECTED = JSON.parse(readFileSync(sample('expected.json'), 'utf8')) as Record<string, Expected>;

describe.each(Object.entries(EXPECTED))('%s', (file, { resource, mapping, records, outcomes, issues }) => {
  test('is recognised, and every record ends as written down beside it', async () => {
    const cwd = temporaryFolder();
    const ended = await storeport(['validate', resource, sample(file), '--out', 'out', '--json'], { cwd });
    const reports = readReports(join(cwd, 'out'));
    expect(ended.code).toBe(issues.length > 0 ? 1 : 0);
    expect(reports.summary).toMatchObject({ records, outcomes, mapping: { name: mapping } });
    const found = reports.results
      .filter((line) => line.code !== '')
      .map((line) => ({ row: Number(line.row), code: line.code }));
    expect(found).toEqual(issues);
    expect(booksOf(reports).balanced).toBe(true);
  });

  test('what is planned is what arrives in a store', async () => {
    const sandbox = await startSandbox();
    const cwd = temporaryFolder();
    try {
      await storeport(['import', resource, sample(file), '--out', 'out'], {
        cwd,
        env: environmentOf(sandbox),
      });
      const reports = readReports(join(cwd, 'out'));
      expect(reports.summary.outcomes.created).toBe(outcomes.planned);
      expect(sandbox.count(resource as 'products')).toBe(outcomes.planned);
      const created = reports.results.filter((line) => line.outcome === 'created').map((line) => line.id);
      const stored = sandbox.records(resource as 'products') as { _id: string }[];
      expect([...created].sort()).toEqual(stored.map(({ _id }) => _id).sort());
    } finally {
      await sandbox.close();
    }
  });
});

describe('hostile.csv', () => {
  test('says what is wrong by row and column, in words, and never with a stack', async () => {
    const cwd = temporaryFolder();
    const { stdout, stderr } = await storeport(
      ['validate', 'products', sample('hostile.csv'), '--out', 'out'],
      { cwd },
    );
    const { results, errors } = readReports(join(cwd, 'out'));
    const byCode = Object.fromEntries(
      results.filter((line) => line.code).map((line) => [line.code, line.message]),
    );
    expect(byCode['ragged-row']).toMatch(/^row \d+.*cells/);
    expect(byCode['not-a-number']).toMatch(/^row 10, column "Variant Price": "abc" is not a number/);
    expect(byCode['unknown-word']).toMatch(
      /^row 13, column "Status": .* use one of: active, draft, archived/,
    );
    expect(byCode['unterminated-quote']).toMatch(/^row 16, column "/);
    expect(byCode['group-split']).toMatch(/began in row \d+ and comes back in row 22/);
    expect(stderr).toMatch(/Warning: .*"?Shelf/);
    expect(stderr).toMatch(/Warning: .*no name/i);
    expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .*:\d+/m);
    // What stands in a column called __proto__ is text like any other, and comes back as it was.
    expect(errors.length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
