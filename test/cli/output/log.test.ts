import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interruptWhen } from '../../support/interrupt.ts';
import { storeport, storeportProcess, temporaryFolder } from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';

type Line = Record<string, unknown> & { readonly msg: string; readonly level: number };

function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const messages = (lines: readonly Line[]) => lines.map(({ msg }) => msg);

const PASSWORD = 'Tr0ub4dor-of-Ann';

/** Customers: one without a name, one whose password is not text, and three valid ones. */
function writeCustomers(cwd: string): void {
  const customer = (n: number) => ({
    ...{ firstname: 'Ann', lastname: `L${n}`, email: `c${n}@example.com` },
    ...{ password: `${PASSWORD}${n}`, storeId: 'S' },
  });
  const records = [
    { ...customer(0), firstname: undefined },
    { ...customer(1), password: 90_210_123 },
    customer(2),
    customer(3),
    customer(4),
  ];
  writeFileSync(join(cwd, 'in.ndjson'), records.map((each) => JSON.stringify(each)).join('\n'));
}

async function importing(
  script: wire.Step[],
  args: readonly string[],
  signal?: (store: wire.Adversary) => AbortSignal,
) {
  await using store = await wire.adversary({ script });
  const cwd = temporaryFolder();
  writeCustomers(cwd);
  const env = {
    STOREPORT_BASE_URL: store.url,
    STOREPORT_CLIENT_ID: 'me',
    STOREPORT_CLIENT_SECRET: 'not-this-one',
    STOREPORT_STORE_ID: 'S',
  };
  const ended = await storeport(
    ['import', 'customers', 'in.ndjson', '--concurrency', '1', '--out', 'out', ...args],
    { cwd, env, ...(signal && { signal: signal(store) }) },
  );
  return { ended, cwd, env, url: store.url };
}

const refusal = wire.reply(
  422,
  JSON.stringify({ message: `password ${PASSWORD}3 was stolen`, field: 'password' }),
);
const later = wire.reply(429, '{}', { 'retry-after': '0' });

test('the log at info has the begin, each failed record, the figures and the end, with time, store and command', async () => {
  const script = [wire.created(), refusal, wire.reply(500, '{}')];
  const { ended, cwd, url } = await importing(script, ['--log-file', 'storeport.log']);
  const lines = linesOf(join(cwd, 'storeport.log'));
  expect(ended.code).toBe(1);
  expect(messages(lines).filter((msg) => !/^(?:Reading|Mapping)/.test(msg))).toEqual([
    ...['begin', 'run begins', 'record invalid', 'record invalid', 'record rejected', 'record in-doubt'],
    ...['summary', 'end'],
  ]);
  for (const line of lines) {
    expect(Date.parse(String(line.time))).not.toBeNaN();
    expect(line.command).toBe('import');
  }
  const [begin] = lines;
  expect(begin).toMatchObject({ resource: 'customers', files: ['in.ndjson'] });
  const records = lines.filter(({ msg }) => msg.startsWith('record '));
  const { run } = JSON.parse(readFileSync(join(cwd, 'out', 'summary.json'), 'utf8'));
  for (const record of records) expect(record).toMatchObject({ run, store: url });
  expect(records.map(({ row, key, outcome, code, field }) => [row, key, outcome, code, field])).toEqual([
    [1, 'c0@example.com', 'invalid', 'required', 'firstname'],
    [2, 'c1@example.com', 'invalid', 'wrong-type', 'password'],
    [4, 'c3@example.com', 'rejected', 'store-refused', 'password'],
    [5, 'c4@example.com', 'in-doubt', 'server-error', undefined],
  ]);
  const [summary, end] = lines.slice(-2);
  expect(summary).toMatchObject({
    records: 5,
    outcomes: { created: 1, invalid: 2, rejected: 1, 'in-doubt': 1 },
    exit_code: 1,
  });
  expect(end).toMatchObject({ exit_code: 1 });
});

test('a customer password is in no log, message or results.csv', async () => {
  const script = [wire.created(), refusal, wire.created()];
  const { ended, cwd } = await importing(script, ['--log-file', 'storeport.log', '--log-level', 'trace']);
  const results = readFileSync(join(cwd, 'out', 'results.csv'), 'utf8');
  expect(results).toContain('password *** was stolen');
  for (const text of [readFileSync(join(cwd, 'storeport.log'), 'utf8'), ended.stdout, ended.stderr, results])
    expect(text).not.toMatch(/Tr0ub4dor|90210123/);
});

test('a password in a damaged row is in no log, message or results.csv', async () => {
  const cwd = temporaryFolder();
  const rows = [
    'firstname,lastname,email,password',
    `Ann,L,c1@example.com,"${PASSWORD}`,
    `Ann,L,"c2@example.com,${PASSWORD.slice(0, 8)}`,
    `Ann,L,c3@example.com,"Ann"${PASSWORD}`,
  ];
  const items = [`{"firstname": "Ann", "password": Tr0ub4dor}`, `"${PASSWORD}"`];
  writeFileSync(join(cwd, 'in.csv'), rows.join('\n'));
  writeFileSync(join(cwd, 'in.ndjson'), `{"firstname":"Ann","lastname":"L"}\n${items.join('\n')}`);
  for (const [file, codes] of [
    ['in.csv', ['unterminated-quote', 'unterminated-quote', 'text-after-quote']],
    ['in.ndjson', ['bad-json', 'not-an-object']],
  ] as const) {
    const args = ['validate', 'customers', file, '--out', 'out'];
    const ended = await storeport([...args, '--log-file', 'storeport.log'], { cwd });
    const results = readFileSync(join(cwd, 'out', 'results.csv'), 'utf8');
    for (const code of codes) expect(results).toContain(`,${code},`);
    expect(results).toContain('***');
    const log = readFileSync(join(cwd, 'storeport.log'), 'utf8');
    for (const text of [log, ended.stdout, ended.stderr, results]) expect(text).not.toContain('Tr0ub4d');
  }
});

test('a password in contradictory rows, adjacent or not, is in no log, message or results.csv', async () => {
  const cwd = temporaryFolder();
  const fields = { firstname: 'First', lastname: 'Last', email: 'Mail', password: 'Password' };
  writeFileSync(
    join(cwd, 'm.json'),
    JSON.stringify({ resource: 'customers', group: { by: 'Mail' }, fields }),
  );
  const rows = ['a,Ann,L,1', 'a,,,2', 'b,Bo,L,3', 'c,Cy,L,4', 'b,,,5'].map((row) => {
    const [name, first, last, number] = row.split(',');
    return `${name}@example.com,${first},${last},${PASSWORD}${number}`;
  });
  writeFileSync(join(cwd, 'in.csv'), `Mail,First,Last,Password\n${rows.join('\n')}\n`);
  const args = ['validate', 'customers', 'in.csv', '--mapping', './m.json', '--out', 'out'];
  const ended = await storeport([...args, '--log-file', 'storeport.log'], { cwd });
  expect(ended.stdout).toContain('"Password": rows of one record differ');
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  expect(read('out/results.csv')).toContain(',group-split,');
  const texts = [read('storeport.log'), read('out/results.csv'), read('out/summary.json')];
  for (const text of [...texts, ended.stdout, ended.stderr]) expect(text).not.toContain(PASSWORD);
});

test('the log is appended to, and names the resumed run and its profile', async () => {
  const { cwd, env } = await importing([wire.created()], ['--log-file', 'storeport.log']);
  const before = linesOf(join(cwd, 'storeport.log'));
  writeFileSync(
    join(cwd, 'storeport.config.yaml'),
    `profiles:\n  night:\n    base-url: ${env.STOREPORT_BASE_URL}\n    client-id: me\n`,
  );
  const args = ['auth', 'check', '--profile', 'night', '--log-file', 'storeport.log'];
  expect((await storeport(args, { cwd, env })).code).toBe(3);
  const lines = linesOf(join(cwd, 'storeport.log'));
  expect(lines.slice(0, before.length)).toEqual(before);
  const [begin, ...rest] = lines.slice(before.length);
  expect(begin).toMatchObject({ command: 'auth check', msg: 'begin' });
  expect(rest.at(-1)).toMatchObject({ profile: 'night', exit_code: 3, msg: 'end' });
});

test('the log at debug has the reasons of retries and the token events', async () => {
  const expired = wire.reply(401, '{"message":"expired"}');
  const script = [later, wire.created(), expired, wire.created(), wire.created()];
  const { cwd } = await importing(script, ['--log-file', 'storeport.log', '--log-level', 'debug']);
  const lines = linesOf(join(cwd, 'storeport.log'));
  expect(lines.find(({ msg }) => msg === 'sent again')).toMatchObject({
    reason: 'the store asks for fewer requests (429)',
    level: 20,
  });
  expect(messages(lines).filter((msg) => /^token (?:request|refresh)$/.test(msg))).toHaveLength(2);
});

test('the log is complete after an interrupt: record in doubt, reason, figures and exit code', async () => {
  const { ended, cwd } = await importing(
    [wire.created(), wire.stall],
    ['--log-file', 'storeport.log', '--timeout', '1s'],
    (store) => interruptWhen(() => store.requests.length >= 2),
  );
  expect(ended.code).toBe(130);
  const lines = linesOf(join(cwd, 'storeport.log'));
  expect(lines.filter(({ msg }) => msg === 'record in-doubt')).toHaveLength(1);
  expect(lines.find(({ reason }) => reason === 'interrupted')).toMatchObject({ level: 50 });
  expect(lines.slice(-2)).toMatchObject([
    { msg: 'summary', not_read: 1, exit_code: 130 },
    { msg: 'end', exit_code: 130 },
  ]);
});

test('the log has the reason of a command that failed before it began', async () => {
  const cwd = temporaryFolder();
  const args = ['import', 'products', 'nowhere.csv', '--sandbox', '--log-file', 'storeport.log'];
  expect((await storeport(args, { cwd })).code).toBe(2);
  expect(linesOf(join(cwd, 'storeport.log')).slice(-2)).toMatchObject([
    { level: 50, msg: 'There is no file nowhere.csv.', exit_code: 2 },
    { msg: 'end', exit_code: 2 },
  ]);
});

test('validate, clean and export write a log', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference,price.salePrice\nA,a,1\nB,b,x\n');
  const log = ['--log-file', 'storeport.log'];
  await storeport(['validate', 'products', 'in.csv', ...log], { cwd });
  await storeport(['clean', 'products', 'in.csv', '--out', 'clean.csv', ...log], { cwd });
  await storeport(['export', 'reviews', '--sandbox', '--out', 'reviews.csv', ...log], { cwd });
  const lines = linesOf(join(cwd, 'storeport.log'));
  const of = (name: string) => lines.filter(({ command }) => command === name);
  for (const name of ['validate', 'clean'])
    expect(of(name).filter(({ msg }) => msg === 'record invalid')).toMatchObject([{ row: 3, key: 'b' }]);
  for (const name of ['validate', 'clean', 'export'])
    expect(messages(of(name)).slice(-2)).toEqual(['summary', 'end']);
});

test('a log that cannot be written exits with 2 before any work', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,a\n');
  mkdirSync(join(cwd, 'folder'));
  for (const file of ['nowhere/a.log', 'folder']) {
    const ended = await storeport(['validate', 'products', 'in.csv', '--out', 'out', '--log-file', file], {
      cwd,
    });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining(`Error: The log file ${file} cannot be written: `),
    ]);
    expect(() => readFileSync(join(cwd, 'out', 'summary.json'))).toThrow('ENOENT');
  }
});

test('the log of a run resumed after a kill names the records in doubt', async () => {
  await using store = await wire.adversary({ script: [wire.created(), wire.stall] });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,a\nB,b\nC,c\n');
  const env = {
    STOREPORT_BASE_URL: store.url,
    STOREPORT_CLIENT_ID: 'me',
    STOREPORT_CLIENT_SECRET: 'not-this-one',
  };
  const killed = await storeportProcess(['import', 'products', 'in.csv', '--concurrency', '1'], {
    cwd,
    env,
    onStart: (child) => {
      const timer = setInterval(() => {
        if (store.requests.length < 2) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 10);
    },
  });
  expect(killed.code).toBe(null);
  await storeport(['run', 'resume', '--timeout', '1s', '--give-up-after', '1s', '--log-file', 'a.log'], {
    cwd,
    env,
  });
  const lines = linesOf(join(cwd, 'a.log'));
  const left = lines.filter(({ msg, code }) => msg === 'record in-doubt' && code === 'crash');
  expect(left).toMatchObject([{ row: 3, key: 'b', command: 'run resume' }]);
  expect(left[0]?.run).toBe(lines.find(({ msg }) => msg === 'run goes on')?.run);
});

test('every line of the log has the same command name', async () => {
  const cwd = temporaryFolder();
  await using store = await wire.adversary({ script: [wire.created(), wire.created()] });
  writeFileSync(join(cwd, 'in.csv'), 'name,reference,storeId\nA,A,S\n');
  const env = {
    STOREPORT_BASE_URL: store.url,
    STOREPORT_CLIENT_ID: 'me',
    STOREPORT_CLIENT_SECRET: 'not-this-one',
    STOREPORT_STORE_ID: 'S',
  };
  expect((await storeport(['import', 'products', 'in.csv', '--out', 'out'], { cwd, env })).code).toBe(0);
  await storeport(['run', 'undo', 'last', '--yes', '--out', 'undone', '--log-file', 'undo.log'], {
    cwd,
    env,
  });
  const lines = linesOf(join(cwd, 'undo.log'));
  expect(messages(lines)).toContain('summary');
  expect(new Set(lines.map(({ command }) => command))).toEqual(new Set(['run undo']));
});
