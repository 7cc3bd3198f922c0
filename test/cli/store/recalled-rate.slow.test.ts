import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { keepLearnedRate, rateFile } from '../../../src/store/rate/learned-rate.ts';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();
let file: string;
beforeEach(async () => {
  const home = join(cli.cwd, '.storeport');
  keepLearnedRate(home, cli.sandbox.url, { rate: 5, isFree: false });
  file = rateFile(home, cli.sandbox.url);
});

const HOUR_MS = 3_600_000;

async function importing(
  records: number,
  ageMs: number,
  args: readonly string[] = [],
  recalled: { readonly rate: number; readonly free?: boolean } = { rate: 5 },
) {
  const at = new Date(Date.now() - ageMs).toISOString();
  writeFileSync(file, JSON.stringify({ store: cli.sandbox.url, ...recalled, at }));
  const before = readFileSync(file, 'utf8');
  const lines = Array.from({ length: records }, (_, n) => `P ${n},ref-${ageMs}-${n}`);
  writeFileSync(join(cli.cwd, 'in.csv'), `name,reference\n${lines.join('\n')}\n`);
  const ended = await cli.run('import', 'products', 'in.csv', '--log-file', 'a.log', ...args);
  expect(ended.code).toBe(0);
  const log = readFileSync(join(cli.cwd, 'a.log'), 'utf8');
  return { ...ended, log, before, after: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

const HELD_BACK =
  /The store took only 5 requests a second \dh \d\dm ago, .* delete \.storeport\/rate-\w+\.json\./g;

test('a recalled low rate that delays requests is reported once and keeps its age', async () => {
  const { stderr, log, before, after } = await importing(6, HOUR_MS);
  expect(stderr.match(HELD_BACK)).toHaveLength(1);
  expect(log.match(/The store took only 5 requests a second/g)).toHaveLength(1);
  expect(after).toBe(before);
});

test('a recalled rate is deleted once the store accepts far more', async () => {
  const { after } = await importing(150, HOUR_MS);
  expect(after).toBeUndefined();
});

test('a rate recalled from a week ago delays nothing', async () => {
  const { stderr } = await importing(20, 168 * HOUR_MS);
  expect(stderr).not.toContain('The store took only');
});

test('a --rate below the recalled rate is the limit, without a report', async () => {
  const { stderr } = await importing(4, HOUR_MS, ['--rate', '3']);
  expect(stderr).not.toContain('The store took only');
});

const FREE = { rate: 1500, free: true };

test('a store that was free stays so after a run that is too short to tell', async () => {
  const { before, after } = await importing(20, HOUR_MS, [], FREE);
  expect(after).toBe(before);
});

test('a store that was free and has a limit now gets each record once, and is free no more', async () => {
  cli.sandbox.misbehave({ rate: '40' });
  const { after, stdout } = await importing(150, HOUR_MS, [], FREE);
  expect(stdout).toContain('150 created');
  expect(cli.sandbox.count('products')).toBe(150);
  expect(after ?? '{}').not.toContain('free');
});
