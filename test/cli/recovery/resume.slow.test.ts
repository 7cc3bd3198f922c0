import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, type Ended, environmentOf, readReports, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const CONCURRENCY = 8;

/** `count` products, every seventh invalid. */
function writeProducts(count: number, file = 'in.csv'): string[] {
  const references = Array.from({ length: count }, (_, n) => `ref-${n}`);
  const lines = references.map((reference, n) => `Product ${n},${reference},${n % 7 === 3 ? 'abc' : n}`);
  writeFileSync(join(cli.cwd, file), `name,reference,price.salePrice\n${lines.join('\n')}\n`);
  return references.filter((_, n) => n % 7 !== 3);
}

/** In a process of its own if it is ended there. */
function run(args: string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void): Promise<Ended> {
  if (!onStart) return cli.run(...args);
  return cli.runProcess(args, { onStart: (child) => onStart((signal) => child.kill(signal)) });
}

const importing = (...more: string[]) => [
  ...['import', 'products', 'in.csv', '--concurrency', String(CONCURRENCY), '--out', 'out'],
  ...more,
];

/** Ends the process when the store has created `count` products in all. */
function when(products: number, signal: NodeJS.Signals = 'SIGKILL') {
  return (kill: (signal: NodeJS.Signals) => void) => {
    const timer = setInterval(() => {
      if (cli.sandbox.count('products') < products) return;
      clearInterval(timer);
      kill(signal);
    }, 1);
    timer.unref();
  };
}

const inStore = () => cli.references();

const without = (all: readonly string[], some: readonly string[]) => {
  const left = new Set(all);
  for (const each of some) left.delete(each);
  return [...left];
};

/** Checks in the store: no key twice, and every key either there or in doubt. */
function expectAllOnce(wanted: readonly string[], kills: number): void {
  const made = inStore();
  expect(new Set(made).size).toBe(made.length);
  const reports = readReports(join(cli.cwd, 'out'));
  expect(booksOf(reports).balanced).toBe(true);
  const doubtful = reports.inDoubt.map(({ reference }) => reference ?? '');
  expect(doubtful.length).toBeLessThanOrEqual(kills * CONCURRENCY);
  const told = reports.results.filter(({ outcome }) => outcome === 'created' || outcome === 'in-doubt');
  expect(
    without(
      wanted,
      told.map(({ key = '' }) => key),
    ),
  ).toEqual([]);
  expect(without(wanted, [...made, ...doubtful])).toEqual([]);
}

describe('killed run', () => {
  test('a killed run resumes without loss or doubles, and only requests in flight are in doubt', async () => {
    const wanted = writeProducts(900);
    cli.sandbox.misbehave({ latency: '3ms' });
    const killed = await run(importing(), when(450));
    expect(killed.code).not.toBe(0);
    expect(existsSync(join(cli.cwd, 'out', 'results.csv'))).toBe(false);
    const before = cli.sandbox.count('products');
    expect(before).toBeLessThan(750);

    const resumed = await run(['run', 'resume', '--json']);
    expect(resumed.stderr).not.toMatch(/Error/);
    expect(resumed.code).toBe(1);
    expectAllOnce(wanted, 1);
    const summary = JSON.parse(resumed.stdout);
    expect(summary.records).toBe(900);
    expect(summary.outcomes.invalid).toBe(129);
    expect(readReports(join(cli.cwd, 'out')).summary).toEqual(summary);
    for (const { code, message } of readReports(join(cli.cwd, 'out')).results.filter(
      ({ outcome }) => outcome === 'in-doubt',
    ))
      expect([code, message]).toEqual(['crash', expect.stringContaining('look in the store')]);
    // Nothing of the run is left except the ledger.
    expect(readdirSync(join(cli.cwd, '.storeport')).filter((name) => name.endsWith('.log'))).toEqual([]);
  });

  test('a run killed and resumed at any moments has the same result', async () => {
    const wanted = writeProducts(400);
    cli.sandbox.misbehave({ latency: '2ms', jitter: '4ms' });
    let kills = 0;
    let ended = await run(importing(), when(30));
    for (let at = 71; ended.code === null && kills < 20; at += 53) {
      kills++;
      ended = await run(['run', 'resume'], at < 340 ? when(at) : undefined);
    }
    expect(kills).toBeGreaterThan(4);
    expect(ended.code).toBe(1);
    expectAllOnce(wanted, kills);
  });

  test('a run killed before the first request has nothing in doubt', async () => {
    const wanted = writeProducts(50);
    cli.sandbox.misbehave({ outage: 'hang:1s' });
    await run(importing(), (kill) => setTimeout(kill, 400, 'SIGKILL'));
    cli.sandbox.misbehave({});
    const ended = await run(existsSync(join(cli.cwd, '.storeport')) ? ['run', 'resume'] : importing());
    expect(ended.code).toBe(1);
    expectAllOnce(wanted, 1);
  });

  test('reports of a killed run can be written without resuming it', async () => {
    writeProducts(900);
    cli.sandbox.misbehave({ latency: '3ms' });
    await run(importing(), when(450));
    const { stdout, code } = await run(['run', 'report', '--json']);
    expect(code).toBe(3);
    const reports = readReports(join(cli.cwd, 'out'));
    expect(booksOf(reports).balanced).toBe(true);
    expect(JSON.parse(stdout).stopped.reason).toBe('crashed');
    expect(reports.summary.not_read).toBeNull();
    const told = reports.results.map(({ key = '' }) => key);
    expect(without(inStore(), told)).toEqual([]);
  });
});

describe('interrupted run', () => {
  test('an interrupted run waits for requests in flight, and resume sends the rest', async () => {
    const wanted = writeProducts(900);
    cli.sandbox.misbehave({ latency: '5ms' });
    const stopped = await run(importing(), when(500, 'SIGINT'));
    expect(stopped.code).toBe(130);
    const before = readReports(join(cli.cwd, 'out'));
    expect(booksOf(before).balanced).toBe(true);
    expect(before.summary.outcomes['in-doubt']).toBeUndefined();
    const { code } = await run(['run', 'resume', 'last']);
    expect(code).toBe(1);
    expectAllOnce(wanted, 0);
    expect(readReports(join(cli.cwd, 'out')).summary.outcomes).toEqual({ created: 771, invalid: 129 });
  });

  test('resume skips completed records without reading them again', async () => {
    // There is a checkpoint every thousand records.
    writeProducts(3000);
    await run(importing(), when(2000, 'SIGINT'));
    const creates = cli.sandbox.journal.filter(({ kind }) => kind === 'create').length;
    const resumed = await run(['run', 'resume', '--log-level', 'debug', '--log-file', 'log']);
    expect(resumed.code).toBe(1);
    expect(cli.sandbox.journal.filter(({ kind }) => kind === 'create').length - creates).toBe(
      3000 - 429 - creates,
    );
    expect(inStore()).toHaveLength(3000 - 429);
    const rows = readReports(join(cli.cwd, 'out')).results.map(({ row }) => Number(row));
    expect(rows).toEqual(Array.from({ length: 3000 }, (_, n) => n + 2));
  });

  test('resume keeps groups of rows, duplicates and later files separate', async () => {
    const header = 'Handle,Title,Body (HTML),Vendor,Variant Price,Variant SKU,Option1 Name,Option1 Value';
    const product = (n: number) => [
      `h${n},Title ${n},"<p>Two\nlines</p>",V,${n},sku-${n}-a,Size,S`,
      `h${n},,,,${n + 1},sku-${n}-b,,M`,
    ];
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
    // Key 40 is repeated in the first file and key 50 in the second, each with another name.
    const other = (n: number) => product(n).map((line) => line.replace('Title', 'Other'));
    const first = [...numbers(0, 1500).flatMap(product), ...other(40)];
    const second = [...numbers(1500, 2400).flatMap(product), ...other(50)];
    writeFileSync(join(cli.cwd, 'a.csv'), `${header}\n${first.join('\n')}\n`);
    writeFileSync(join(cli.cwd, 'b.csv'), `${header}\n${second.join('\n')}\n`);
    const args = ['import', 'products', 'a.csv', 'b.csv', '--out', 'out', '--mapping', 'shopify-products'];
    for (const at of [1200, 2100]) {
      const { code } = await run(at === 1200 ? args : ['run', 'resume'], when(at, 'SIGINT'));
      expect(code).toBe(130);
    }
    const { code } = await run(['run', 'resume']);
    expect(code).toBe(1);
    const { summary, results } = readReports(join(cli.cwd, 'out'));
    expect(summary.outcomes).toEqual({ created: 2398, invalid: 2 });
    expect(
      results.filter(({ outcome }) => outcome === 'invalid').map(({ key, code }) => [key, code]),
    ).toEqual([
      ['h40', 'group-split'],
      ['h50', 'group-split'],
    ]);
    expect(inStore().sort()).toEqual(
      numbers(0, 2400)
        .filter((n) => n !== 40 && n !== 50)
        .map((n) => `h${n}`)
        .sort(),
    );
  });
});

describe('refused resume', () => {
  const interrupted = async () => {
    writeProducts(900);
    cli.sandbox.misbehave({ latency: '5ms' });
    await run(importing(), when(200, 'SIGINT'));
    return cli.sandbox.count('products');
  };

  test('a run is not resumed if its file has changed', async () => {
    const before = await interrupted();
    const file = join(cli.cwd, 'in.csv');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('Product 9,', 'Product X,'));
    const same = await run(['run', 'resume']);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('it has other content')]);
    writeFileSync(file, `${text}Another,ref-x,1\n`);
    const longer = await run(['run', 'resume']);
    expect([longer.code, longer.stderr]).toEqual([2, expect.stringMatching(/it has \d+ bytes, then \d+/)]);
    writeFileSync(file, text);
    expect(cli.sandbox.count('products')).toBe(before);
    expect((await run(['run', 'resume'])).code).toBe(1);
  });

  test('a run is not resumed if its mapping has changed', async () => {
    writeProducts(900);
    const mapping = join(cli.cwd, 'm.yaml');
    const text = 'resource: products\nfields:\n  name: name\n  reference: reference\n';
    writeFileSync(mapping, text);
    cli.sandbox.misbehave({ latency: '5ms' });
    await run(importing('--mapping', 'm.yaml'), when(200, 'SIGINT'));
    writeFileSync(mapping, `${text}  description: name\n`);
    const { code, stderr } = await run(['run', 'resume']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('says something else now')]);
  });

  test('a run is not resumed for another store', async () => {
    await interrupted();
    const other = await startSandbox();
    try {
      const { code, stderr } = await storeport(['run', 'resume'], {
        cwd: cli.cwd,
        env: environmentOf(other),
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('was for')]);
      expect(other.count('products')).toBe(0);
    } finally {
      await other.close();
    }
  });

  test('a run that read from a pipe is not resumed', async () => {
    writeProducts(900);
    cli.sandbox.misbehave({ latency: '5ms' });
    const args = ['import', 'products', '-', '--out', 'out'];
    await cli.runProcess(args, {
      input: readFileSync(join(cli.cwd, 'in.csv')),
      onStart: (child) => when(200, 'SIGINT')((signal) => child.kill(signal)),
    });
    const { code, stderr } = await run(['run', 'resume']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read again')]);
  });

  test('a completed run is not resumed, and its summary is printed', async () => {
    writeProducts(10);
    await run(importing());
    const requests = cli.sandbox.journal.filter(({ kind }) => kind === 'create').length;
    const { code, stdout } = await run(['run', 'resume', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).outcomes).toEqual({ created: 9, invalid: 1 });
    expect(cli.sandbox.journal.filter(({ kind }) => kind === 'create')).toHaveLength(requests);
  });
});

describe('concurrent runs', () => {
  test('a second run for the same store and home names the process of the first', async () => {
    writeProducts(600);
    cli.sandbox.misbehave({ latency: '20ms' });
    let second: Promise<Ended> | undefined;
    const first = await run(importing(), () => {
      const timer = setInterval(() => {
        if (cli.sandbox.count('products') === 0) return;
        clearInterval(timer);
        second = run(['import', 'products', 'in.csv', '--out', 'second', '--json']);
      }, 5);
    });
    const refused = await second;
    expect(refused?.code).toBe(2);
    expect(JSON.parse(refused?.stdout ?? '')).toMatchObject({
      error: { reason: 'in-use', hints: [expect.stringContaining('wait for its end'), expect.any(String)] },
      exit_code: 2,
    });
    expect(refused?.stderr).toMatch(/is in use: run \d{8}-\d{6}-[0-9a-f]{4}, process \d+, since 20/);
    expect(first.code).toBe(1);
    expect(new Set(inStore()).size).toBe(cli.sandbox.count('products'));
  });
});

describe('earlier runs', () => {
  test('earlier runs are listed, shown and reported, as text and as JSON', async () => {
    writeProducts(10);
    expect((await run(['run', 'list'])).stdout).toContain('no runs');
    expect((await run(['run', 'show'])).code).toBe(2);
    await run(importing());
    const { run: id } = readReports(join(cli.cwd, 'out')).summary;
    const listed = await run(['run', 'list']);
    expect(listed.stdout).toContain(
      `${id}  done  products  9 created, 1 invalid  (in.csv to ${cli.sandbox.url})`,
    );
    expect(JSON.parse((await run(['run', 'list', '--json'])).stdout)).toMatchObject([
      { run: id, state: 'done', outcomes: { created: 9, invalid: 1 } },
    ]);
    const shown = JSON.parse((await run(['run', 'show', id.slice(0, 12), '--json'])).stdout);
    const { summary } = readReports(join(cli.cwd, 'out'));
    expect(shown).toEqual({ ...summary, state: 'done' });
    writeFileSync(join(cli.cwd, 'out', 'results.csv'), 'spoilt');
    expect((await run(['run', 'report', id])).code).toBe(1);
    expect(booksOf(readReports(join(cli.cwd, 'out'))).balanced).toBe(true);
    expect(readReports(join(cli.cwd, 'out')).summary).toEqual(summary);
    expect((await run(['run', 'show', 'nope'])).stderr).toContain(`The latest is ${id}`);
  });
});

test('an unsent record keeps its key against a later invalid record when the run is resumed', async () => {
  const lines = ['Slow,A,1', 'Tea,T,2', 'Other tea,T,abc', 'Third tea,T,3'];
  writeFileSync(join(cli.cwd, 'in.csv'), `name,reference,price.salePrice\n${lines.join('\n')}\n`);
  cli.sandbox.misbehave({ latency: '1500ms' });
  // The second record waits for its turn, while the others get outcomes without a request.
  const args = ['import', 'products', 'in.csv', '--concurrency', '4', '--rate', '0.5', '--out', 'out'];
  await run(args, (kill) => {
    const timer = setInterval(() => {
      if (!cli.sandbox.journal.some(({ kind }) => kind === 'create')) return;
      clearInterval(timer);
      kill('SIGINT');
    }, 5);
    timer.unref();
  });
  expect(readReports(join(cli.cwd, 'out')).results.map(({ outcome }) => outcome)).toEqual([
    ...['created', 'unsent', 'invalid', 'duplicate'],
  ]);
  cli.sandbox.misbehave({});
  await run(['run', 'resume']);
  expect(readReports(join(cli.cwd, 'out')).results.map(({ outcome }) => outcome)).toEqual([
    ...['created', 'created', 'invalid', 'duplicate'],
  ]);
  expect(inStore()).toEqual(['A', 'T']);
});
