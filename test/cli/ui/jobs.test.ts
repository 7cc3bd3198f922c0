import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import type { FixRowsView, JobView, RunView } from '../../../src/ui/api/index.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import { environmentOf, storeport, temporaryFolder } from '../../support/run.ts';
import { startUi } from '../../support/ui.ts';
import { storedReferences, uiWithStore, writeProducts } from '../../support/ui-store.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

describe('an import', () => {
  test('does what its command line does, and names it', async () => {
    const { ui, sandbox, agreed } = await uiWithStore(cwd);
    writeProducts(cwd, 30);
    const { id } = await ui.open('products.csv');
    const job = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
    expect(job).toMatchObject({
      state: 'ended',
      end: { exitCode: 0, result: { outcomes: { created: 30 } } },
    });
    expect(storedReferences(sandbox)).toHaveLength(30);
    const [, ...words] = job.command.split(' ');
    const again = await storeport([...words, '--json'], { cwd, env: environmentOf(sandbox) });
    expect(JSON.parse(again.stdout).outcomes).toEqual({ unchanged: 30 });
  });

  test('of a file in another folder, with another home, is a command line for the working directory', async () => {
    mkdirSync(join(cwd, 'shop'));
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const env = environmentOf(sandbox);
    const ui = await startUi(cwd, { env, args: ['--folder', 'shop', '--home', 'kept'] });
    writeProducts(cwd, 3, [1]);
    renameSync(join(cwd, 'products.csv'), join(cwd, 'shop', 'products.csv'));
    const { id, path } = await ui.open('products.csv');
    expect(path).toBe('products.csv');
    const agreed = sandbox.url;
    const {
      command,
      run = '',
      end,
    } = await ui.finish({
      ...{ kind: 'import', work: id, store: 'environment', agreed },
    });
    expect(end?.result?.outcomes).toEqual({ created: 2, invalid: 1 });
    expect(command).toBe('storeport import products shop/products.csv --home kept');
    const again = await storeport([...command.split(' ').slice(1), '--json'], { cwd, env });
    expect(JSON.parse(again.stdout).outcomes).toEqual({ unchanged: 2, invalid: 1 });
    await ui.call('POST', `/runs/${run}/rows`, {
      op: 'set',
      cells: [{ index: 0, column: 2, text: '1' }],
    });
    const check = await ui.finish({ kind: 'check-fixes', run, store: 'environment' });
    expect(check.end?.result).toMatchObject({ plan: { actions: { create: 1 } } });
  });

  test('is planned by what the store has, and for a sandbox by the file alone', async () => {
    const { ui, agreed } = await uiWithStore(cwd);
    writeProducts(cwd, 5);
    const { id } = await ui.open('products.csv');
    await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
    const planned = async (store: string) =>
      (await ui.finish({ kind: 'check', work: id, store })).end?.result?.plan as JsonObject;
    expect(await planned('environment')).toMatchObject({ actions: { unchanged: 5 }, requests: 0 });
    expect(await planned('sandbox')).toMatchObject({ actions: { create: 5 }, requests: 5 });
  });

  describe('and paused', () => {
    passTimeByTurns();

    test('sends nothing until it is continued', async () => {
      const { ui, sandbox, agreed } = await uiWithStore(cwd, { faults: { latency: '40ms' } });
      writeProducts(cwd, 600);
      const { id } = await ui.open('products.csv');
      const { id: job } = await ui.start({ kind: 'import', work: id, store: 'environment', agreed });
      await ui.until(job, ({ progress }) => (progress?.records ?? 0) > 50);
      const paused = await ui.call<JobView>('POST', `/jobs/${job}/control`, { action: 'pause' });
      expect(paused.value.state).toBe('paused');
      // Requests in flight are still answered.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const before = sandbox.records('products').length;
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(sandbox.records('products')).toHaveLength(before);
      const shown = await ui.until(job, ({ progress }) => progress?.waiting !== null);
      expect(shown.progress?.waiting?.text).toBe('Waiting for you: it is paused');
      await ui.call('POST', `/jobs/${job}/control`, { action: 'continue' });
      const end = await ui.until(job, ({ state }) => state === 'ended');
      expect(end.end).toMatchObject({ exitCode: 0, result: { outcomes: { created: 600 } } });
      expect(new Set(storedReferences(sandbox)).size).toBe(600);
    });
  });

  test('is stopped while it is paused, and resumed from the list of runs', async () => {
    const { ui, sandbox, agreed } = await uiWithStore(cwd, { faults: { latency: '40ms' } });
    writeProducts(cwd, 500);
    const { id } = await ui.open('products.csv');
    const { id: job } = await ui.start({ kind: 'import', work: id, store: 'environment', agreed });
    await ui.until(job, ({ progress }) => (progress?.records ?? 0) > 50);
    await ui.call('POST', `/jobs/${job}/control`, { action: 'pause' });
    await ui.call('POST', `/jobs/${job}/control`, { action: 'stop' });
    const stopped = await ui.until(job, ({ state }) => state === 'ended');
    expect(stopped.end?.exitCode).toBe(130);
    const run = stopped.run ?? '';
    const { value } = await ui.call<RunView>('GET', `/runs/${run}`);
    expect(value).toMatchObject({ state: 'stopped' });
    expect(value.actions.map(({ kind }) => kind)).toContain('resume');
    const resumed = await ui.finish({ kind: 'resume', run, agreed });
    expect(resumed.end).toMatchObject({ exitCode: 0, result: { outcomes: { created: 500 } } });
    expect(new Set(storedReferences(sandbox)).size).toBe(500);
  });

  test('asks after the first records, and sends the rest only after a yes', async () => {
    const { ui, sandbox, agreed } = await uiWithStore(cwd);
    writeProducts(cwd, 20);
    const { id } = await ui.open('products.csv');
    const wanted = { kind: 'import', work: id, store: 'environment', agreed, canary: 3 } as const;
    const { id: job } = await ui.start(wanted);
    const asking = await ui.until(job, ({ state }) => state === 'asking');
    expect(asking.question).toMatchObject({ text: 'These 3 records were sent first. Send the rest?' });
    expect(asking.question?.lines).toHaveLength(3);
    expect(sandbox.records('products')).toHaveLength(3);
    await ui.call('POST', `/jobs/${job}/control`, { action: 'yes' });
    expect((await ui.until(job, ({ state }) => state === 'ended')).end?.exitCode).toBe(0);
    expect(sandbox.records('products')).toHaveLength(20);
  });

  test('asks for a secret that no setting has, keeps it to itself, and shows it nowhere', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const { STOREPORT_CLIENT_SECRET: secret = '', ...env } = environmentOf(sandbox);
    const ui = await startUi(cwd, { env });
    writeProducts(cwd, 5);
    const { id } = await ui.open('products.csv');
    const { id: job } = await ui.start({
      kind: 'import',
      work: id,
      store: 'environment',
      agreed: sandbox.url,
    });
    const asking = await ui.until(job, ({ state }) => state === 'asking');
    expect(asking.question).toMatchObject({ isSecret: true, text: expect.stringContaining(sandbox.url) });
    await ui.call('POST', `/jobs/${job}/control`, { action: 'yes', secret });
    const end = await ui.until(job, ({ state }) => state === 'ended');
    expect(end.end).toMatchObject({ exitCode: 0 });
    expect(await ui.finish({ kind: 'auth-check', store: 'environment' })).toMatchObject({
      end: { exitCode: 0 },
    });
    const start = await ui.call('GET', '/start');
    for (const text of [JSON.stringify(end), start.text, ui.stderr()]) expect(text).not.toContain(secret);
  });
});

test('a secret that the store refuses is asked for again', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { STOREPORT_CLIENT_SECRET: right = '', ...env } = environmentOf(sandbox);
  const ui = await startUi(cwd, { env });
  for (const [secret, exitCode] of [
    ['wrong-secret', 3],
    [right, 0],
  ] as const) {
    const { id } = await ui.start({ kind: 'auth-check', store: 'environment' });
    await ui.until(id, ({ state }) => state === 'asking');
    await ui.call('POST', `/jobs/${id}/control`, { action: 'yes', secret });
    const { end } = await ui.until(id, ({ state }) => state === 'ended');
    expect(end?.exitCode).toBe(exitCode);
  }
  expect((await ui.finish({ kind: 'auth-check', store: 'environment' })).end?.exitCode).toBe(0);
});

describe('rows that did not arrive', () => {
  test('are corrected in pages, checked, sent, and arrive once', async () => {
    const { ui, sandbox, agreed } = await uiWithStore(cwd);
    writeProducts(cwd, 300, [7, 120, 299]);
    const { id } = await ui.open('products.csv');
    const { run = '', end } = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
    expect(end?.result?.outcomes).toEqual({ created: 297, invalid: 3 });
    const rows = `/runs/${run}/rows`;
    const { value: view } = await ui.call<FixRowsView>('GET', rows);
    expect(view.rows.map(({ row, marks }) => [row, marks])).toEqual([
      [9, [2]],
      [122, [2]],
      [301, [2]],
    ]);
    expect(view.causes).toMatchObject([{ outcome: 'invalid', field: 'price.salePrice', rows: 3 }]);
    await ui.call('POST', rows, { op: 'set', cells: [{ index: 0, column: 2, text: '7' }] });
    await ui.call('POST', rows, { op: 'replace', column: 2, find: 'twelve', text: '12' });
    await ui.call('POST', rows, { op: 'drop', rows: [2] });
    const check = await ui.finish({ kind: 'check-fixes', run, store: 'environment' });
    expect(check.end?.result).toMatchObject({ plan: { actions: { create: 2 } } });
    // The rows of a run into a sandbox go into a new one, which knows nothing of this store.
    const elsewhere = await ui.finish({ kind: 'check-fixes', run, store: 'sandbox' });
    expect(elsewhere.command).toMatch(/^storeport import .* --dry-run --sandbox$/);
    expect(elsewhere.end?.result).toMatchObject({ plan: { actions: { create: 2 } } });
    const sent = await ui.finish({ kind: 'send-fixes', run, store: 'environment', agreed });
    expect(sent.end?.result?.outcomes).toEqual({ created: 2 });
    expect(storedReferences(sandbox)).toHaveLength(299);
    const after = await ui.call<RunView>('GET', `/runs/${run}`);
    expect(after.value.outcomes).toEqual({ created: 299, invalid: 1 });
    const left = await ui.call<FixRowsView>('GET', rows);
    expect(left.value.rows.map(({ row, isDropped }) => [row, isDropped])).toEqual([[301, true]]);
  });

  test('need a correction before they can be sent', async () => {
    const { ui, agreed } = await uiWithStore(cwd);
    writeProducts(cwd, 5, [1]);
    const { id } = await ui.open('products.csv');
    const { run = '' } = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
    const { status, text } = await ui.call('POST', '/jobs', {
      kind: 'send-fixes',
      run,
      store: 'environment',
      agreed,
    });
    expect(status).toBe(400);
    expect(text).toContain('No row was corrected yet');
  });
});
