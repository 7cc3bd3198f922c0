import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, storeport } from '../../support/run.ts';

const REVIEWS = 3_000;

const cli = cliForEachTest({ seed: REVIEWS });

// Removed items were on the first page, which is read before any removal.
const CASES: readonly GivenFaults[] = [
  { shift: 'insert:2' },
  { shift: 'insert:1', latency: '2ms', jitter: '5ms' },
  { shift: 'remove:2' },
  { shift: 'remove:1', latency: '2ms', jitter: '5ms' },
];

describe('shifting list', () => {
  test.each(CASES)('every item of a list that shifts by %j is exported once', async (faults) => {
    cli.sandbox.misbehave(faults);
    const { cwd } = cli;
    const ended = await storeport(['export', 'reviews', '--out', 'reviews.ndjson', '--json'], {
      cwd,
      env: environmentOf(cli.sandbox),
    });
    expect({ code: ended.code, said: ended.stderr }).toMatchObject({ code: 0 });
    const lines = readFileSync(join(cwd, 'reviews.ndjson'), 'utf8').trimEnd().split('\n');
    const ids = lines.map((line) => String(JSON.parse(line)._id));
    const stored = (cli.sandbox.records('reviews') as { _id: string }[]).map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(stored.filter((id) => !ids.includes(id))).toEqual([]);
    const summary = JSON.parse(ended.stdout);
    expect(summary).toMatchObject({ items: ids.length, unsure: 0, total_at_start: REVIEWS });
    expect(summary.total).not.toBe(REVIEWS);
    expect(summary.repeated + summary.read_again).toBeGreaterThan(0);
  });
});
