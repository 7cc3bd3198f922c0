import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFacts } from '../../../src/cli/command-facts.ts';
import { openMetricsFile } from '../../../src/cli/monitoring/metrics-file.ts';
import { anyText } from '../../support/any-text.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { temporaryFolder } from '../../support/run.ts';

const cli = cliForEachTest({ seed: 30 });

/** Samples of a file: name and labels → value. Throws if a line is not of the format. */
function samplesIn(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    const [, name] = /^# TYPE (\w+) gauge$/.exec(line) ?? [];
    if (name !== undefined) typed.add(name);
    if (line.startsWith('#')) continue;
    const [, metric = '', labels = '', value = ''] =
      /^(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (-?[\d.e+-]+)$/.exec(line) ?? [];
    expect(typed).toContain(metric);
    expect(samples.has(`${metric} ${labels}`)).toBe(false);
    samples.set(`${metric} ${labels}`, Number(value));
  }
  return samples;
}

const fileOf = (name: string) => readFileSync(join(cli.cwd, name), 'utf8');
const OWN = 'command="export",resource="reviews",profile="default"';

test('an export writes its end, its code and its items', async () => {
  const before = Date.now() / 1000;
  await cli.run('export', 'reviews', '--out', 'r.csv', '--metrics', 'm.prom');
  const samples = samplesIn(fileOf('m.prom'));
  expect(samples.get(`storeport_running ${OWN}`)).toBe(0);
  expect(samples.get(`storeport_last_exit_code ${OWN}`)).toBe(0);
  expect(samples.get(`storeport_last_records ${OWN},outcome="exported"`)).toBe(30);
  expect(samples.get(`storeport_last_unsure_pages ${OWN}`)).toBe(0);
  expect(samples.get(`storeport_last_success_timestamp_seconds ${OWN}`)).toBeGreaterThan(before);
  expect(samples.get(`storeport_store_info ${OWN},store="${cli.sandbox.url}"`)).toBe(1);
  expect(readdirSync(cli.cwd).filter((name) => name.startsWith('m.prom'))).toEqual(['m.prom']);
});

test('a failure keeps the time of the last success', async () => {
  await cli.run('export', 'reviews', '--out', 'r.csv', '--metrics', 'm.prom');
  const success = `storeport_last_success_timestamp_seconds ${OWN}`;
  const first = samplesIn(fileOf('m.prom')).get(success);
  await cli.run('export', 'reviews', '--out', 'r.csv', '--metrics', 'm.prom', '--filter', 'stars=5');
  const samples = samplesIn(fileOf('m.prom'));
  expect(samples.get(success)).toBe(first);
  expect(samples.get(`storeport_last_exit_code ${OWN}`)).toBe(2);
});

test('while a command runs the file has the time of the last success', () => {
  const file = join(cli.cwd, 'm.prom');
  const own = 'command="export",profile="default"';
  writeFileSync(file, `storeport_last_success_timestamp_seconds{${own}} 1700000000\n`);
  openMetricsFile(file, createFacts('export', { profile: undefined })).begin();
  const samples = samplesIn(readFileSync(file, 'utf8'));
  expect(samples.get(`storeport_running ${own}`)).toBe(1);
  expect(samples.get(`storeport_last_success_timestamp_seconds ${own}`)).toBe(1_700_000_000);
});

test('while a command runs the file says so, and a second Ctrl-C is its end', async () => {
  cli.sandbox.misbehave({ hang: '100%@create' });
  let during = '';
  writeFileSync(join(cli.cwd, 'in.csv'), 'name,reference\nMug,M-1\n');
  const { code } = await cli.runProcess(['import', 'products', 'in.csv', '--metrics', 'm.prom'], {
    onStart(child) {
      let interrupts = 0;
      const timer = setInterval(() => {
        if (interrupts === 0 && cli.sandbox.journal.some(({ kind }) => kind === 'create')) {
          during = fileOf('m.prom');
          interrupts = 1;
          child.kill('SIGINT');
        } else if (interrupts === 1) {
          interrupts = 2;
          child.kill('SIGINT');
        }
      }, 200);
      child.on('close', () => clearInterval(timer));
    },
  });
  expect(code).toBe(130);
  const own = 'command="import",resource="products",profile="default"';
  expect(samplesIn(during).get(`storeport_running ${own}`)).toBe(1);
  expect(samplesIn(fileOf('m.prom')).get(`storeport_last_exit_code ${own}`)).toBe(130);
});

test('a file that cannot be written is refused before anything is sent', async () => {
  const ended = await cli.importProducts('name,reference\nMug,M-1\n', 'out', '--metrics', 'no/folder/m.prom');
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--metrics') });
  expect(cli.sandbox.journal).toEqual([]);
});

test('the source file is not overwritten by the metrics', async () => {
  const ended = await cli.importProducts('name,reference\nMug,M-1\n', 'out', '--metrics', 'in.csv');
  expect(ended).toMatchObject({ code: 2 });
  expect(fileOf('in.csv')).toContain('Mug');
});

test('a command without a resource and a store has no empty labels', () => {
  const file = join(temporaryFolder(), 'm.prom');
  openMetricsFile(file, createFacts('fleet worker', { profile: undefined })).begin();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('storeport_store_info{command="fleet worker",profile="default"} 1');
  expect(text).not.toContain('=""');
});

test('any name of a profile or a store makes a valid file', () => {
  const folder = temporaryFolder();
  fc.assert(
    fc.property(anyText(), fc.string(), (profile, store) => {
      const facts = createFacts('export', { resource: 'reviews', profile });
      facts.store = store;
      const file = openMetricsFile(join(folder, 'm.prom'), facts);
      file.begin();
      file.end(0);
      expect(samplesIn(readFileSync(join(folder, 'm.prom'), 'utf8')).size).toBeGreaterThan(5);
    }),
    { numRuns: scaledRuns(200) },
  );
});
