import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addTasks, createExecutor, showTask, stopTasks } from '../../src/fleet/index.ts';
import { fleetOfFile, WAIT } from './fleet-with-workers.ts';

const { database, start, ended, executorOptions, lines } = fleetOfFile();

test('an export that has ended when its worker begins to drain is published', async () => {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'export', resource: 'reviews', stores: 'red', options: { out: 'reviews.ndjson' } },
  });
  const execute = createExecutor(await executorOptions('a'));
  // As if the drain came after the last item.
  await start('a', { execute: (each, context) => execute(each, { ...context, isYielding: () => true }) });
  await ended();
  const shown = await showTask(database.sql, task?.id ?? '');
  expect(shown).toMatchObject({ state: 'done', exitCode: 0 });
  expect(shown.artifacts.map(({ name }) => name)).toContain('reviews.ndjson');
});

/** An import whose file never comes. */
async function importOfEndlessFile() {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = createServer((_, response) => {
    response.write('name,reference\n');
    ask();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in.csv`;
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [address] } },
  });
  return { asked, id: task?.id ?? '' };
}

test('a task whose file is being fetched when its worker drains is queued again', async () => {
  const { asked, id } = await importOfEndlessFile();
  const worker = await start('a');
  await asked;
  worker.drain();
  await worker.end;
  expect(await showTask(database.sql, id)).toMatchObject({ state: 'queued', stopReason: null });
  expect(lines.join('\n')).not.toContain('internal error');
});

test('a task whose file is being fetched when a user stops it is interrupted', async () => {
  const { asked, id } = await importOfEndlessFile();
  await start('a');
  await asked;
  await stopTasks(database.sql, { ids: [id] });
  await vi.waitFor(
    async () =>
      expect(await showTask(database.sql, id)).toMatchObject({
        ...{ state: 'stopped', stopReason: 'interrupted' },
      }),
    WAIT,
  );
});
