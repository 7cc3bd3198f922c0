import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { openReceiver } from './receiver.ts';

// A night of exports from a store in trouble: log, metrics, notifications, exit codes and files say the same, and what the
// store's own journal says.

const cli = cliForEachTest({ seed: 450 });

const SECRET = 'a-secret-for-signatures';

interface Night {
  readonly faults: GivenFaults;
  /** Exit codes that are right for such a store. */
  readonly codes: readonly number[];
}

const CALM: Night = { faults: {}, codes: [0] };

/** Each kind of trouble, some of them in ten exports in turn. */
const NIGHTS: readonly Night[] = [
  CALM,
  { faults: { 'error-500': '20%@list', seed: '1' }, codes: [0] },
  { faults: { rate: '20' }, codes: [0] },
  { faults: { reset: '15%@list', seed: '2' }, codes: [0] },
  { faults: { 'token-life': '1s' }, codes: [0] },
  { faults: { redirect: '#2@list' }, codes: [3] },
  { faults: { html: '100%@list' }, codes: [3] },
  { faults: { 'error-503-json': '30%@list', seed: '3' }, codes: [0] },
  { faults: { truncated: '10%@list', seed: '4' }, codes: [0] },
  { faults: { hang: '#2@list' }, codes: [0] },
];

const linesOf = (file: string) =>
  readFileSync(join(cli.cwd, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown> & { readonly msg: string });

test('thirty exports of a store in trouble: every channel says the same, and nothing secret', async () => {
  await using receiver = await openReceiver();
  writeFileSync(
    join(cli.cwd, 'storeport.config.yaml'),
    `profiles:\n  paris:\n    base-url: ${cli.sandbox.url}\n    client-id: ${cli.sandbox.clientId}\n    client-secret: ${cli.sandbox.clientSecret}\n`,
    { mode: 0o600 },
  );
  const texts: string[] = [];
  for (let number = 0; number < 30; number++) {
    const { faults, codes } = NIGHTS[number % NIGHTS.length] as Night;
    cli.sandbox.misbehave(faults);
    const requests = cli.sandbox.journal.length;
    const { code, stdout, stderr } = await cli.runWith(
      [
        ...['export', 'reviews', '--profile', 'paris', '--out', `r-${number}.ndjson`, '--json'],
        ...['--log-file', `${number}.log`, '--metrics', `${number}.prom`, '--notify', receiver.address],
        ...['--give-up-after', '120s', '--timeout', '2s'],
      ],
      { env: { STOREPORT_NOTIFY_SECRET: SECRET } },
    );
    expect(codes, `${number}: ${stderr}`).toContain(code);
    const notified = receiver.received[number]?.body as Record<string, unknown>;
    const lines = linesOf(`${number}.log`);
    const metrics = readFileSync(join(cli.cwd, `${number}.prom`), 'utf8');
    const printed = JSON.parse(stdout);

    // The four channels agree with the exit code of the process.
    expect(notified).toMatchObject({ exit_code: code, profile: 'paris', store: cli.sandbox.url });
    expect(printed).toMatchObject({
      exit_code: code,
      profile: 'paris',
      store: cli.sandbox.url,
      command: 'export',
    });
    expect(Date.parse(printed.started_at)).toBeLessThanOrEqual(Date.parse(printed.finished_at));
    expect(lines[0]).toMatchObject({ msg: 'begin', command: 'export', resource: 'reviews' });
    expect(lines.at(-1)).toMatchObject({ msg: 'end', exit_code: code, profile: 'paris' });
    expect(metrics).toMatch(new RegExp(`storeport_last_exit_code\\{.*profile="paris".*\\} ${code}\n`));

    // They count the items of the file, which are those of the store.
    const { items } = printed;
    if (code === 0) {
      const ids = linesOf(`r-${number}.ndjson`).map(({ _id }) => String(_id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(450);
      expect(items).toBe(450);
      expect(notified.counts).toEqual({ exported: 450 });
      expect(metrics).toContain('outcome="exported"} 450\n');
    } else {
      expect(notified.error).toMatchObject({ kind: 'stopped', message: printed.error.message });
      expect(lines.find(({ level }) => level === 50)?.msg).toBe(printed.error.message);
      expect(metrics).not.toContain('storeport_last_success_timestamp_seconds');
    }
    // The store has given each page that was counted, and was only asked.
    const asked = cli.sandbox.journal.slice(requests);
    const given = asked.filter(({ kind, status, whole }) => kind === 'list' && status === 200 && whole);
    if (code === 0) expect(given.length).toBeGreaterThanOrEqual(printed.pages + printed.read_again);
    expect(asked.some(({ kind }) => kind === 'create' || kind === 'update')).toBe(false);
    texts.push(stdout, stderr, metrics, JSON.stringify(lines), receiver.received[number]?.text ?? '');
  }
  expect(receiver.received).toHaveLength(30);
  for (const text of texts) {
    for (const secret of [cli.sandbox.clientSecret, SECRET]) expect(text).not.toContain(secret);
    // The store's tokens are JSON Web Tokens.
    expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/);
  }
}, 240_000);
