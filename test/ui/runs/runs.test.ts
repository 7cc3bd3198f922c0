import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { NotFound, type RawAnswer } from '../../../src/http/index.ts';
import type { RunsView, RunView } from '../../../src/ui/api/index.ts';
import { createRuns } from '../../../src/ui/runs/runs.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { callerOf, textOf, uiContextIn } from '../../support/ui-context.ts';

const cli = cliForEachTest();

const TWO_OF_THREE = 'name,reference,status\nA,R1,PUBLISH\nB,R2,nonsense\nC,R3,PUBLISH\n';

const latestId = async () => (await runsOf().latest())[0]?.run;
const runsOf = () => createRuns(uiContextIn(cli.cwd));

test('runs are listed from the latest, page by page', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  await cli.importProducts('name,reference\nD,R4\n', 'second', '--mode', 'create');
  const runs = runsOf();
  const call = callerOf(runs.routes);
  const { total, runs: lines } = (await call('GET /runs?from=1&count=5')) as RunsView;
  expect(total).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    ...{ state: 'done', stopped: null, resource: 'products', files: ['in.csv'] },
    ...{ records: 3, outcomes: { created: 2, invalid: 1 }, store: cli.sandbox.url },
  });
  expect(await runs.latest()).toMatchObject([{ mode: 'create', records: 1 }, { records: 3 }]);
});

test('a run says what arrived and what can be done, with the command of each action', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first', '--set', 'description=a b');
  const [{ run = '' } = {}] = await runsOf().latest();
  const call = callerOf(runsOf().routes);
  const view = (await call(`GET /runs/${run}`)) as RunView;
  const host = new URL(cli.sandbox.url).host;
  expect(view.sentence).toBe(`2 of 3 products arrived in ${host}; 1 record needs you.`);
  expect(view).toMatchObject({ returned: 1, inDoubt: 0, out: 'first' });
  expect(view.reportFiles).toContain('report.html');
  expect(view.actions.map(({ kind }) => kind)).toEqual(['fix', 'undo']);
  const [fix, undo] = view.actions;
  expect(fix?.command).toContain("storeport import products first/errors.csv '--set=description=a b'");
  expect(undo).toMatchObject({
    command: `storeport run undo ${run}`,
    effect: `Puts the 2 products that it created into the trash of ${host}. What it updated stays as it is.`,
  });
});

test('a run that was undone cannot be undone again', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  await cli.run('run', 'undo', '--yes');
  const runs = runsOf();
  const [undo, first] = await runs.latest();
  const call = callerOf(runs.routes);
  const view = (await call(`GET /runs/${first?.run}`)) as RunView;
  expect(view.actions.map(({ kind }) => kind)).toEqual(['fix']);
  expect(((await call(`GET /runs/${undo?.run}`)) as RunView).actions).toEqual([]);
});

test('a run that stopped can be resumed', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => `P${at},R${at},nonsense`).join('\n');
  await cli.importProducts(`name,reference,status\n${rows}\n`, 'first', '--max-errors', '5');
  const runs = runsOf();
  const [line] = await runs.latest();
  expect(line).toMatchObject({ state: 'stopped', stopped: 'too-many-errors' });
  const view = (await callerOf(runs.routes)(`GET /runs/${line?.run}`)) as RunView;
  expect(view.actions[0]).toMatchObject({ kind: 'resume', command: `storeport run resume ${line?.run}` });
});

test('a run that does not exist is not found', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  const call = callerOf(runsOf().routes);
  await expect(call('GET /runs/20200101-000000-aaaa')).rejects.toThrow(NotFound);
  await expect(call('GET /runs/20200101-000000-aaaa/files/errors.csv')).rejects.toThrow(NotFound);
});

test('the reports of a run are streamed, report.html to be shown and the others to be saved', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  const call = callerOf(runsOf().routes);
  const page = (await call(`GET /runs/${await latestId()}/files/report.html`)) as RawAnswer;
  expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
  expect(page.headers['Content-Disposition']).toBeUndefined();
  expect(page.headers['Content-Security-Policy']).toMatch(/^default-src 'none';.*; sandbox allow-scripts$/);
  const html = await textOf(page);
  expect(html).toContain('http-equiv="Content-Security-Policy"');
  const errors = (await call(`GET /runs/${await latestId()}/files/errors.csv`)) as RawAnswer;
  expect(errors.headers['Content-Disposition']).toBe('attachment; filename="errors.csv"');
  expect(await textOf(errors)).toMatch(/^name,reference,status,storeport_run/);
});

test('a report that cannot be looked at is not found, and does not stay open', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  const call = callerOf(runsOf().routes);
  const handle = await open(join(cli.cwd, 'in.csv'));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const broken = vi.spyOn(prototype, 'stat').mockRejectedValue(new Error('gone'));
  await expect(call(`GET /runs/${await latestId()}/files/errors.csv`)).rejects.toThrow(NotFound);
  broken.mockRestore();
  expect(openFilesBelow(join(cli.cwd, 'first'))).toEqual([]);
});

test('no other file can be read, whatever its name and wherever a link leads', async () => {
  await cli.importProducts(TWO_OF_THREE, 'first');
  writeFileSync(join(cli.cwd, 'first', 'secret.txt'), 'secret');
  const call = callerOf(runsOf().routes);
  for (const name of [
    'secret.txt',
    '../in.csv',
    '..',
    '',
    '.',
    '/etc/passwd',
    'errors.csv/',
    'x/../errors.csv',
  ])
    await expect(call(`GET /runs/${await latestId()}/files/${encodeURIComponent(name)}`)).rejects.toThrow(
      NotFound,
    );
  rmSync(join(cli.cwd, 'first', 'errors.csv'));
  symlinkSync(join(cli.cwd, 'in.csv'), join(cli.cwd, 'first', 'errors.csv'));
  expect(existsSync(join(cli.cwd, 'first', 'errors.csv'))).toBe(true);
  await expect(call(`GET /runs/${await latestId()}/files/errors.csv`)).rejects.toThrow(NotFound);
});
