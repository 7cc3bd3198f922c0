import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { environmentOf, storeport } from '../../support/run.ts';

const REVIEWS = 120;

const cli = cliForEachTest({ seed: REVIEWS });

async function exported(faults: GivenFaults, ...more: string[]) {
  cli.sandbox.misbehave(faults);
  const { cwd } = cli;
  const file = join(cwd, 'reviews.ndjson');
  writeFileSync(file, 'last night\n');
  const ended = await storeport(['export', 'reviews', '--out', file, '--concurrency', '1', ...more], {
    cwd,
    env: environmentOf(cli.sandbox),
  });
  const text = readFileSync(file, 'utf8');
  const places = text === 'last night\n' ? undefined : text.trimEnd().split('\n').map(idOf);
  return { ...ended, places };
}

const idOf = (line: string): string => JSON.parse(line)._id;
const stored = () => (cli.sandbox.records('reviews') as { _id: string }[]).map(({ _id }) => _id);

describe('list with wrong totals', () => {
  const complete: readonly GivenFaults[] = [
    { 'page-limit': 50, total: 'absent' },
    { 'page-limit': 40, total: '-70' },
    { 'page-limit': 50, 'empty-page': '#2' },
  ];
  test.each(complete)('a list with %j is exported completely', async (faults) => {
    const { code, stderr, stdout, places } = await exported(faults, '--json');
    expect({ code, stderr, places }).toEqual({ code: 0, stderr: '', places: stored() });
    expect(JSON.parse(stdout)).toMatchObject({ unsure: 0, short: 0, items: REVIEWS });
  });

  test('a list that grows beyond its stated total is exported with the new items', async () => {
    const { code, places } = await exported({ 'page-limit': 60, total: '-20', 'last-page-grows': 2 });
    expect(code).toBe(0);
    expect(places?.slice(0, REVIEWS)).toEqual(stored());
    expect(places?.length).toBeGreaterThan(REVIEWS);
  });

  test('a list shorter than its stated total is exported with a warning and exit code 1', async () => {
    const { code, stderr, places } = await exported({ total: '+5' });
    expect({ code, places }).toEqual({ code: 1, places: stored() });
    expect(stderr).toContain(
      "Warning: 1 of 2 pages held fewer items than the store's own numbers or its other pages say",
    );
    expect(stderr).not.toContain('changed while');
  });

  test('a page that stays short when read again is exported as it is, with exit code 1', async () => {
    const { code, stdout, places } = await exported({ 'page-limit': 50, 'empty-page': '#2-5' }, '--json');
    expect({ code, places }).toEqual({ code: 1, places: stored().filter((_, n) => n < 50 || n >= 100) });
    expect(JSON.parse(stdout)).toMatchObject({ pages: 3, unsure: 1, short: 1, exit_code: 1 });
  });

  test('a store that repeats one page for every request ends the export with 3', async () => {
    const { code, stderr, places } = await exported({ 'ignore-page': 'yes' });
    expect({ code, places }).toEqual({ code: 3, places: undefined });
    expect(stderr).toMatch(/^Error: Page 2 of .* the store answered with page 1/m);
  });
});
