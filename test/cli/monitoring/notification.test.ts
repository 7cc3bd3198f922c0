import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postNotification } from '../../../src/cli/monitoring/notification.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import { type Notified, openReceiver } from './receiver.ts';

passTimeByTurns();

const cli = cliForEachTest({ seed: 30 });

const TWO = 'name,reference\nMug,M-1\n,M-2\n';

test('the end of an import is posted, with outcomes, state, run and store, and without cells', async () => {
  await using receiver = await openReceiver();
  const { code } = await cli.importProducts(TWO, 'out', '--notify', `${receiver.address}/hooks/abc?key=k`);
  expect(code).toBe(1);
  expect(receiver.received).toMatchObject([
    {
      method: 'POST',
      path: '/hooks/abc?key=k',
      headers: { 'content-type': 'application/json' },
      body: {
        ...{ command: 'import', resource: 'products', state: 'incomplete', exit_code: 1, error: null },
        store: cli.sandbox.url,
        run: cli.reports('out').summary.run,
        counts: { created: 1, invalid: 1 },
        text: expect.stringMatching(/^storeport import products: 1 created, 1 invalid\. Exit code 1, run /),
      },
    },
  ]);
  // The example of a problem has cells of the file.
  expect(receiver.received[0]?.text).not.toContain('M-2');
});

test('an error before anything is sent is posted with its message', async () => {
  await using receiver = await openReceiver();
  const ended = await cli.run('import', 'products', 'none.csv', '--notify', receiver.address);
  expect(ended.code).toBe(2);
  expect(receiver.received).toMatchObject([
    {
      body: {
        ...{ state: 'wrong', exit_code: 2, counts: {} },
        error: { kind: 'configuration', message: 'There is no file none.csv.' },
      },
    },
  ]);
});

test('a body is signed with its time if there is a secret', async () => {
  await using receiver = await openReceiver();
  const secret = 'kept-between-us';
  await cli.runWith(['export', 'reviews', '--out', 'r.csv', '--notify', receiver.address], {
    env: { STOREPORT_NOTIFY_SECRET: secret },
  });
  const { headers, text } = receiver.received[0] as Notified;
  const time = String(headers['storeport-timestamp']);
  const expected = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  expect(headers['storeport-signature']).toBe(`sha256=${expected}`);
  expect(text).not.toContain(secret);
});

test('a receiver that is down is a warning, and the exit code stays', async () => {
  const receiver = await openReceiver();
  await receiver[Symbol.asyncDispose]();
  const { code, stderr } = await cli.importProducts(
    'name,reference\nMug,M-1\n',
    'out',
    ...['--notify', `${receiver.address}/hooks/abc`, '--quiet'],
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Warning: The notification of --notify did not arrive: ECONNREFUSED\.\n$/);
});

test('an address is a secret: it is in no message, log or report', async () => {
  await using receiver = await openReceiver([404]);
  const { stderr, stdout } = await cli.importProducts(
    TWO,
    'out',
    ...[
      '--notify',
      `${receiver.address}/hooks/T0P-SECRET`,
      '--log-file',
      'log.ndjson',
      '--log-level',
      'trace',
    ],
  );
  const log = readFileSync(join(cli.cwd, 'log.ndjson'), 'utf8');
  expect(stderr).toContain('did not arrive: it answered with 404');
  for (const text of [stderr, stdout, log, JSON.stringify(cli.reports('out').summary)])
    expect(text).not.toContain('T0P-SECRET');
  const wrong = await cli.run('export', 'reviews', '--notify', 'hooks.example/T0P-SECRET');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.not.stringContaining('T0P-SECRET') });
});

test.each([
  ['an answer of 500 is tried again', [500, 503], 3, undefined],
  ['a limit is waited for', [429], 2, undefined],
  ['trouble that lasts ends after three tries', [500, 500, 500], 3, 'it answered with 500'],
  ['a refusal is not repeated', [403], 1, 'it answered with 403'],
])('%s', async (_, answers, tries, reason) => {
  await using receiver = await openReceiver(answers);
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const options = { environment: {}, secret: undefined, time: '0' };
  expect(await postNotification(receiver.address, '{}', options, sleep)).toBe(reason);
  expect(receiver.received).toHaveLength(tries);
  expect(pauses).toHaveLength(tries - 1);
});
