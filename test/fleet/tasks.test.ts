import { beforeEach, describe, expect, test } from 'vitest';
import {
  addSchedule,
  addTasks,
  countTasks,
  listTasks,
  removeStore,
  resumeTasks,
  retryTasks,
  showTask,
  stopTasks,
  type Work,
} from '../../src/fleet/index.ts';
import { afterEvent, MOST_LOST, type TaskEvent, type TaskStanding } from '../../src/fleet/states.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { databaseOfFile } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const task = (state: TaskStanding['state'], rest: Partial<TaskStanding> = {}): TaskStanding => ({
  state,
  next: 'begin',
  stopWanted: false,
  lost: 0,
  ...rest,
});

const nothing = undefined;

describe('states of a task', () => {
  test.each([
    ['queued', 'begin', 'running begin'],
    ['queued', 'finish', nothing],
    ['queued', 'fail', nothing],
    ['queued', 'yield', nothing],
    ['queued', 'stop', 'stopped begin interrupted'],
    ['queued', 'lose', nothing],
    ['queued', 'expire', nothing],
    ['queued', 'resume', nothing],
    ['queued', 'retry', nothing],
    ['running', 'begin', nothing],
    ['running', 'finish', 'done resume'],
    ['running', 'fail', 'stopped resume'],
    ['running', 'yield', 'queued resume'],
    ['running', 'stop', 'running begin stop-wanted'],
    ['running', 'lose', 'queued resume lost-1'],
    ['running', 'expire', 'queued resume'],
    ['running', 'resume', nothing],
    ['running', 'retry', nothing],
    ['done', 'begin', nothing],
    ['done', 'finish', 'done resume'],
    ['done', 'fail', 'stopped resume'],
    ['done', 'yield', nothing],
    ['done', 'stop', nothing],
    ['done', 'lose', nothing],
    ['done', 'expire', nothing],
    ['done', 'resume', 'queued resume'],
    ['done', 'retry', 'queued retry'],
    ['stopped', 'begin', nothing],
    ['stopped', 'finish', 'done resume'],
    ['stopped', 'fail', 'stopped resume'],
    ['stopped', 'yield', nothing],
    ['stopped', 'stop', nothing],
    ['stopped', 'lose', nothing],
    ['stopped', 'expire', nothing],
    ['stopped', 'resume', 'queued resume'],
    ['stopped', 'retry', 'queued retry'],
  ] as const)('%s, %s: %s', (state, event, expected) => {
    const after = afterEvent(task(state), event);
    const words = after && [
      ...[after.state, after.next],
      ...(after.stopWanted ? ['stop-wanted'] : []),
      ...(after.lost > 0 ? [`lost-${after.lost}`] : []),
      ...(after.reason ? [after.reason] : []),
    ];
    expect(words?.join(' ')).toBe(expected);
  });

  test('a retry is begun again until it has come to its end', () => {
    const retry = (state: TaskStanding['state'], event: TaskEvent, rest: Partial<TaskStanding> = {}) => {
      const after = afterEvent(task(state, { next: 'retry', ...rest }), event);
      return `${after?.state} ${after?.next}`;
    };
    expect(retry('running', 'lose')).toBe('queued retry');
    expect(retry('running', 'yield')).toBe('queued retry');
    for (const event of ['lose', 'yield'] as const)
      expect(retry('running', event, { stopWanted: true })).toBe('stopped retry');
    expect(retry('running', 'lose', { lost: MOST_LOST - 1 })).toBe('stopped retry');
    expect(retry('running', 'fail')).toBe('stopped retry');
    expect(retry('queued', 'stop')).toBe('stopped retry');
    expect(retry('stopped', 'resume')).toBe('queued retry');
    expect(retry('running', 'finish')).toBe('done resume');
  });

  test('a lease that ends in the middle of a task does not count while its worker lives', () => {
    expect(afterEvent(task('running', { lost: MOST_LOST - 1 }), 'expire')).toMatchObject({
      ...{ state: 'queued', next: 'resume', lost: MOST_LOST - 1 },
    });
  });

  test('the third worker in a row that is gone stops a task', () => {
    expect(afterEvent(task('running', { lost: MOST_LOST - 2 }), 'lose')).toMatchObject({ state: 'queued' });
    expect(afterEvent(task('running', { lost: MOST_LOST - 1 }), 'lose')).toMatchObject({
      state: 'stopped',
      reason: 'poison',
    });
  });

  test.each(['finish', 'fail', 'yield'] as const)('%s forgets the workers that were gone', (event) => {
    expect(afterEvent(task('running', { lost: 2 }), event)?.lost).toBe(0);
  });

  test.each(['yield', 'lose', 'expire'] as const)(
    'a task that is to stop does not run again after %s',
    (event) => {
      expect(afterEvent(task('running', { stopWanted: true }), event)).toMatchObject({
        state: 'stopped',
        reason: 'interrupted',
        stopWanted: false,
      });
    },
  );
});

describe('tasks of a fleet', () => {
  const database = databaseOfFile();
  let sql: Sql;
  beforeEach(async () => {
    sql = database.sql;
    for (const name of ['blue', 'red']) await addPlainStore(sql, name);
  });

  const reviews: Work = { command: 'export', resource: 'reviews', options: {} };
  const products: Work = { command: 'import', resource: 'products', options: { files: ['/data/a.csv'] } };

  test('an address with a password is refused before it is kept', async () => {
    const options = { files: ['https://u:hunter22@host.example/x.csv'] };
    const refused = await addTasks(sql, { ...products, options, stores: 'all' }).catch(
      (error: Error) => error,
    );
    expect(refused).toMatchObject({ message: expect.stringContaining('user name or password') });
    expect(JSON.stringify(refused)).not.toContain('hunter22');
    expect(await listTasks(sql)).toEqual([]);
  });

  test('a signature is in the task, and is not shown', async () => {
    const files = ['https://host.example/x.csv?sig=SEKRIT', 's3://bucket/a?b.csv', '/data/a.csv'];
    const [added] = await addTasks(sql, { ...products, options: { files, mappingText: 'x' }, stores: 'red' });
    const [line] = await sql.query<{ options: unknown }>('select options from task');
    expect(line?.options).toMatchObject({ files });
    expect((await showTask(sql, added?.id ?? '')).options).toEqual({
      files: ['https://host.example/x.csv?…', 's3://bucket/a?b.csv', '/data/a.csv'],
    });
  });

  function withOptions(work: Work, options: Work['options']): Work {
    return { ...work, options: { ...work.options, ...options } };
  }

  test('a task of a removed store is not queued again', async () => {
    const [removed, other] = await addTasks(sql, { ...products, stores: 'all' });
    const ids = [removed?.id ?? ''];
    await stopTasks(sql, {});
    await removeStore(sql, 'blue');
    await expect(resumeTasks(sql, { ids })).rejects.toThrow('its store "blue" was removed');
    await expect(retryTasks(sql, { ids })).rejects.toThrow('was removed');
    expect((await resumeTasks(sql, {})).map(({ id }) => id)).toEqual([other?.id]);
    await addPlainStore(sql, 'blue');
    expect(await resumeTasks(sql, { ids })).toMatchObject([{ after: 'queued' }]);
  });

  test('each selected store gets one', async () => {
    const added = await addTasks(sql, { ...reviews, stores: 'all' });
    expect(added.map(({ store, state }) => [store, state])).toEqual([
      ['blue', 'queued'],
      ['red', 'queued'],
    ]);
    expect(new Set(added.map(({ id }) => id)).size).toBe(2);
  });

  test('lists have the latest first, a page at a time, and filter', async () => {
    for (let each = 0; each < 3; each += 1) await addTasks(sql, { ...reviews, stores: 'all' });
    await addTasks(sql, { ...products, stores: 'red' });
    const numbers = (await listTasks(sql)).map(({ number }) => number);
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect((await listTasks(sql, { limit: 2, before: 5 })).map(({ number }) => number)).toEqual([4, 3]);
    expect(await listTasks(sql, { stores: 'red' })).toHaveLength(4);
    expect(await listTasks(sql, { command: 'import', resource: 'products' })).toHaveLength(1);
    await stopTasks(sql, { stores: 'red', command: 'import' });
    expect(await countTasks(sql)).toEqual({ queued: 6, running: 0, done: 0, stopped: 1 });
    expect(await listTasks(sql, { states: ['stopped'] })).toHaveLength(1);
    await expect(listTasks(sql, { states: ['lost' as never] })).rejects.toThrow('no state of a task');
  });

  test('a stopped task is queued again by resume and by retry', async () => {
    const [added] = await addTasks(sql, { ...products, stores: 'red' });
    const ids = [added?.id ?? ''];
    expect(await resumeTasks(sql, { ids })).toMatchObject([{ changed: false, after: 'queued' }]);
    expect(await stopTasks(sql, { ids })).toMatchObject([
      { changed: true, before: 'queued', after: 'stopped' },
    ]);
    expect(await showTask(sql, ids[0] as string)).toMatchObject({ stopReason: 'interrupted', next: 'begin' });
    expect(await retryTasks(sql, { ids }, { rejected: true })).toMatchObject([{ after: 'queued' }]);
    const shown = await showTask(sql, ids[0] as string);
    expect(shown).toMatchObject({ state: 'queued', next: 'retry', stopReason: null, finishedAt: null });
    expect(shown.options).toEqual({ files: ['/data/a.csv'], retryRejected: true });
  });

  test('an id that does not exist changes nothing', async () => {
    const [added] = await addTasks(sql, { ...products, stores: 'red' });
    await expect(stopTasks(sql, { ids: [added?.id ?? '', 'nowhere'] })).rejects.toThrow('no task "nowhere"');
    expect(await countTasks(sql)).toMatchObject({ queued: 1 });
  });

  test.each([
    [{ ...products, options: {} }, 'The options of the import are wrong.'],
    [{ ...products, options: { files: ['a.csv'], home: 'x' } }, 'The options of the import are wrong.'],
    [{ ...reviews, options: { incremental: true } }, 'The options of the export are wrong.'],
    [{ ...reviews, options: { out: '../x.csv' } }, 'The options of the export are wrong.'],
    [{ ...reviews, resource: 'customers' }, 'There is no resource "customers"'],
    [withOptions(products, { mapping: 'shopify-prodcts' }), 'There is no mapping "shopify-prodcts"'],
    [withOptions(products, { mapping: 'shopify-customers' }), 'this command imports products'],
    [withOptions(products, { mapping: './a.yaml', mappingText: 'fields: [' }), 'a.yaml'],
    [withOptions(products, { set: ['statos=DRAFT'] }), 'no field "statos"'],
    [withOptions(products, { mapping: 'shopify-products', set: ['status=DRAFTY'] }), 'not "DRAFTY"'],
    [withOptions(products, { encoding: 'utf-9' }), 'utf-9'],
    [withOptions(products, { format: 'json', delimiter: ';' }), '--delimiter'],
    [withOptions(reviews, { filter: ['foo=bar'] }), '--filter foo=bar'],
    [withOptions(reviews, { since: 'yesterday' }), '--since yesterday'],
    [withOptions(reviews, { columns: '_id,contnt' }), 'contnt'],
    [withOptions(reviews, { mapping: 'nothing' }), 'There is no mapping "nothing"'],
    [
      withOptions(reviews, {
        mapping: './a.yaml',
        mappingText: 'resource: products\nexport: { Name: name }\n',
      }),
      'this command exports reviews',
    ],
  ])('work that cannot be done is refused', async (work, message) => {
    await expect(addTasks(sql, { ...work, stores: 'all' })).rejects.toThrow(message);
    const schedule = { ...work, name: 'nightly', cron: '0 2 * * *', stores: 'all' };
    await expect(addSchedule(sql, schedule)).rejects.toThrow(message);
    expect(await listTasks(sql)).toEqual([]);
  });

  test('work is checked by the API that each store has', async () => {
    const api = { reviews: { list: { filters: { foo: 'foo' } } } };
    await addPlainStore(sql, 'green', { settings: { clientId: 'c', secret: 'env:S', api } });
    const filtered = withOptions(reviews, { filter: ['foo=bar'] });
    expect(await addTasks(sql, { ...filtered, stores: 'green' })).toHaveLength(1);
    await expect(addTasks(sql, { ...filtered, stores: 'all' })).rejects.toThrow('--filter foo=bar');
    const error = addTasks(sql, { ...withOptions(reviews, { filter: ['fo=bar'] }), stores: 'green' });
    await expect(error).rejects.toMatchObject({
      hints: [expect.any(String), expect.stringContaining('"green"')],
    });
  });
});
