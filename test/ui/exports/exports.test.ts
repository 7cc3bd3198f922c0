import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExportChoice, ExportCommand, ExportPreview } from '../../../src/ui/api/index.ts';
import type { CommandPort } from '../../../src/ui/command-port.ts';
import { createExports } from '../../../src/ui/exports/exports.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { filesBelow } from '../../support/run.ts';
import { callerOf, uiContextIn } from '../../support/ui-context.ts';

const cli = cliForEachTest({ seed: 40 });

/** Exports whose commands are run by the binary. */
function openExports(commands: Partial<CommandPort> = {}) {
  const run: CommandPort['run'] = async (words) => {
    const { code, stdout, stderr } = await cli.run(...words, '--json');
    if (code !== 0) return { exitCode: code ?? 3, failure: { message: stderr, hints: [] } };
    return { exitCode: 0, result: JSON.parse(stdout) };
  };
  const exports = createExports(uiContextIn(cli.cwd, { run, ...commands }));
  const call = callerOf(exports.routes);
  return {
    ...exports,
    preview: (choice: ExportChoice) => call('POST /exports/preview', choice) as Promise<ExportPreview>,
    command: (choice: ExportChoice & { readonly out: string }) =>
      call('POST /exports/command', choice) as Promise<ExportCommand>,
    async export(choice: ExportChoice, out: string, replace = false) {
      const planned = await exports.plan({ kind: 'export', ...choice, out, replace });
      await planned.atEnd?.(await run(planned.words, {} as never));
      return planned;
    },
  };
}

const REVIEWS: ExportChoice = { resource: 'reviews', store: 'environment', format: 'csv' };

test('a preview shows the first items and leaves no file, however often it is made', async () => {
  const exports = openExports();
  const first = await exports.preview({ ...REVIEWS, columns: ['_id', 'rating'] });
  expect(first).toMatchObject({ columns: ['_id', 'rating'], total: 40 });
  expect(first.rows).toHaveLength(10);
  const before = filesBelow(join(cli.cwd, '.storeport'));
  await Promise.all([exports.preview(REVIEWS), exports.preview({ ...REVIEWS, limit: 3 })]);
  expect(filesBelow(join(cli.cwd, '.storeport'))).toEqual(before);
  expect(readdirSync(join(cli.cwd, '.storeport', 'ui', 'tmp'))).toEqual([]);
  expect(readdirSync(cli.cwd)).toEqual(['.storeport']);
});

test('a preview that fails leaves no file and says why', async () => {
  const exports = openExports();
  await expect(exports.preview({ ...REVIEWS, filters: ['nonsense=1'] })).rejects.toThrow('nonsense');
  expect(readdirSync(join(cli.cwd, '.storeport', 'ui', 'tmp'))).toEqual([]);
});

test('a preview of one column has one column, whatever its texts hold', async () => {
  const run: CommandPort['run'] = async (words) => {
    const out = words.find((word) => word.startsWith('--out='))?.slice('--out='.length) ?? '';
    writeFileSync(out, `content\n${'a;b;c\n'.repeat(5)}`);
    return { exitCode: 0, result: { command: 'export', total: null, total_at_start: 7 } };
  };
  const preview = await openExports({ run }).preview({ ...REVIEWS, columns: ['content'] });
  expect(preview).toMatchObject({ columns: ['content'], total: 7 });
  expect(preview.rows[0]).toEqual(['a;b;c']);
});

test('the line for cron escapes what cron and the shell would read otherwise', async () => {
  const exports = openExports();
  const { command, cron } = await exports.command({
    ...{ ...REVIEWS, since: '3650d', columns: ['_id', '*'], out: 'reviews.csv' },
  });
  expect(command).toBe(
    "storeport export reviews --format csv --since=3650d '--columns=_id,*' --out=reviews.csv",
  );
  expect(cron).toMatch(/^15 3 \* \* \* cd \S+ && storeport export .* --quiet >> export\.log 2>&1$/);
  const { cron: escaped } = await exports.command({ ...REVIEWS, filters: ['productId=50%'], out: 'r.csv' });
  expect(escaped).toContain('--filter=productId=50\\%');
});

test('texts of the page cannot be other options, or another command', async () => {
  const exports = openExports();
  const log = join(cli.cwd, 'log.txt');
  for (const resource of [`--log-file=${log}`, 'orders', 'run', ''])
    await expect(exports.preview({ ...REVIEWS, resource })).rejects.toThrow();
  for (const choice of [{ since: `--log-file=${log}` }, { filters: [`--log-file=${log}`] }])
    await expect(exports.preview({ ...REVIEWS, ...choice })).rejects.toThrow();
  await exports.preview({ ...REVIEWS, columns: [`--log-file=${log}`] }).catch(() => {});
  expect(existsSync(log)).toBe(false);
  expect((await exports.plan({ kind: 'export', ...REVIEWS, out: '--quiet=.csv' })).words.at(-1)).toBe(
    '--out=--quiet=.csv',
  );
});

test('an export is noted with its file, also if its name has a date', async () => {
  const exports = openExports();
  await exports.export(REVIEWS, 'reviews.csv');
  await exports.export({ ...REVIEWS, format: 'ndjson', limit: 5 }, 'r-{date}.ndjson');
  const [latest, first] = exports.list();
  expect(first).toMatchObject({ file: 'reviews.csv', items: 40, exists: true });
  expect(latest?.file).toMatch(/^r-\d{4}-\d\d-\d\d\.ndjson$/);
  expect(latest).toMatchObject({ items: 5, exists: true });
  // Another server of this home has the same list.
  expect(openExports().list()).toEqual(exports.list());
});

test('a file of today is not replaced by a name with {date}, and unknown names are refused', async () => {
  const exports = openExports({ storeWords: async () => ['--profile', 'shop'] });
  const now = new Date();
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  writeFileSync(join(cli.cwd, `shop-${date}.csv`), '');
  const plan = (out: string) => exports.plan({ kind: 'export', ...REVIEWS, out });
  await expect(plan('{profile}-{date}.csv')).rejects.toThrow(`shop-${date}.csv exists already`);
  await expect(plan('{day}.csv')).rejects.toThrow('{day}');
  expect((await plan('{date}.csv')).words.at(-1)).toBe('--out={date}.csv');
});

test('a list that a power cut has emptied is no fault, and begins anew', async () => {
  const exports = openExports();
  await exports.export(REVIEWS, 'reviews.csv');
  writeFileSync(join(cli.cwd, '.storeport/ui/exports.json'), '');
  expect(exports.list()).toEqual([]);
  await exports.export({ ...REVIEWS, limit: 2 }, 'few.csv');
  expect(exports.list()).toMatchObject([{ file: 'few.csv' }]);
});

test('an existing file is replaced only if that is wanted, and no file elsewhere is written', async () => {
  const exports = openExports();
  await exports.export(REVIEWS, 'reviews.csv');
  await expect(exports.export(REVIEWS, 'reviews.csv')).rejects.toThrow('exists already');
  await exports.export({ ...REVIEWS, limit: 2 }, 'reviews.csv', true);
  expect(exports.list()).toMatchObject([{ file: 'reviews.csv', items: 2 }]);
  await expect(exports.export(REVIEWS, '../reviews.csv')).rejects.toThrow('is not in');
  await expect(exports.export(REVIEWS, 'reviews.json')).rejects.toThrow('does not end in .csv');
  await exports.export({ ...REVIEWS, incremental: true }, 'all.csv');
  await exports.export({ ...REVIEWS, incremental: true }, 'all.csv');
  expect(exports.list()[0]).toMatchObject({ file: 'all.csv', items: 0 });
});
