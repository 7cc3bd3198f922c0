import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type {
  CommandView,
  DoubtsView,
  ExportCommand,
  RunsView,
  RunView,
  WorkCommand,
  WorkView,
} from '../../../src/ui/api/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { CONFIG_FILE } from '../../support/config-file.ts';
import { commandsIn, commandsOfPage, expectToRun, type Printed } from '../../support/printed-commands.ts';
import { environmentOf, sample } from '../../support/run.ts';
import { type RunningUi, startUi } from '../../support/ui.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

// Runs every command that the page's API answers in these situations, in the folder in which the page was started.

const cli = cliForEachTest({ seed: 12 });

interface Situation {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Words of `storeport ui`. */
  readonly args?: readonly string[];
  /** Does what a person would do on the page. Resolves with the answers whose commands count. */
  readonly act: (ui: RunningUi) => Promise<readonly unknown[]>;
  /** Runs between the page and the commands. */
  readonly between?: () => unknown;
  /** All commands that are answered, in order. They run one after another. */
  readonly prints: readonly Printed[];
  readonly after?: () => unknown;
}

const SHOP = 'SKU,Title,Price\nA,Mug,3\nB,Cup,4\n';
const NATIVE = 'name,reference\nMug,A\nCup,B\n';
const ONE_WRONG = 'name,reference\nMug,A\n,B\n';
/** Samples of joined files, by the names that they have in the folder. */
const JOINED_FILES = {
  'my products.csv': 'prestashop-products.csv',
  'my sizes.csv': 'joined/prestashop-combinations.csv',
};
const QUOTED = `Ann's "best" list.csv`;
const sheet = (...rows: string[][]) => rows.map((cells, at) => textRow(at + 1, ...cells)).join('');
const write = (name: string, text: string | Buffer) => writeFileSync(join(cli.cwd, name), text);
const calm = () => cli.sandbox.misbehave({});

const ok = <Value>({ status, value, text }: { status: number; value: Value; text: string }): Value => {
  if (status !== 200) throw new Error(text);
  return value;
};
const get = async <Value>(ui: RunningUi, path: string) => ok(await ui.call<Value>('GET', path));
const post = async <Value>(ui: RunningUi, path: string, body: unknown) =>
  ok(await ui.call<Value>('POST', path, body));
const commandOf = (ui: RunningUi, id: string, wanted: WorkCommand) =>
  post<CommandView>(ui, `/works/${id}/command`, wanted);

/** The commands of the screens of a file, from the first to the last. */
async function screensOf(ui: RunningUi, id: string): Promise<readonly unknown[]> {
  return [
    await commandOf(ui, id, { does: 'check' }),
    await commandOf(ui, id, { does: 'check', record: 1 }),
    await commandOf(ui, id, { does: 'import', store: 'environment' }),
  ];
}

/** Imports a file into the store of the environment, and resolves with the view of its run. */
async function importedRun(ui: RunningUi, file = 'in.csv', choice = {}): Promise<RunView> {
  const { id } = await ui.open(file);
  const target = { store: 'environment', agreed: cli.sandbox.url };
  const { run } = await ui.finish({ kind: 'import', work: id, ...target, ...choice });
  return get(ui, `/runs/${run}`);
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  // Files and their screens.
  'a file of the native form': {
    files: { 'in.csv': NATIVE },
    act: async (ui) => screensOf(ui, (await ui.open('in.csv')).id),
    prints: [
      ['storeport validate products ./in.csv', 0],
      ['storeport validate products ./in.csv --offset 1 --limit 1 --show 1', 0],
      ['storeport import products ./in.csv', 0],
    ],
    after: () => expect(cli.references()).toEqual(['A', 'B']),
  },
  'a file with quotes in its name, in another folder, with another home': {
    args: ['--folder', 'my shop', '--home', 'my home'],
    act: async (ui) => {
      write(join('my shop', QUOTED), SHOP);
      return screensOf(ui, (await ui.open(QUOTED)).id);
    },
    prints: [
      [
        `storeport validate products 'my shop/Ann'\\''s "best" list.csv' --mapping 'my shop/Ann'\\''s "best" list.mapping.yaml' --home 'my home'`,
        0,
      ],
      [
        `storeport validate products 'my shop/Ann'\\''s "best" list.csv' --mapping 'my shop/Ann'\\''s "best" list.mapping.yaml' --offset 1 --limit 1 --show 1 --home 'my home'`,
        0,
      ],
      [
        `storeport import products 'my shop/Ann'\\''s "best" list.csv' --mapping 'my shop/Ann'\\''s "best" list.mapping.yaml' --home 'my home'`,
        0,
      ],
    ],
    after: () => expect(cli.references()).toEqual(['A', 'B']),
  },
  'a file whose name begins like an option': {
    files: { '-in.csv': NATIVE },
    act: async (ui) => [await commandOf(ui, (await ui.open('-in.csv')).id, { does: 'check' })],
    prints: [['storeport validate products ./-in.csv', 0]],
  },
  'a file that is dropped on the page': {
    act: async (ui) => {
      const dropped = await ui.call<WorkView>('PUT', '/uploads?name=my%20in.csv', Buffer.from(SHOP));
      return [await commandOf(ui, dropped.value.id, { does: 'check' })];
    },
    prints: [
      [
        "storeport validate products '.storeport/ui/uploads/UPLOAD/my in.csv' --mapping './my in.mapping.yaml'",
        0,
      ],
    ],
  },
  'a sheet of a workbook': {
    act: async (ui) => {
      const sheets = [
        { name: 'Read me', rows: sheet(['How to fill in'], ['Use the other sheet']) },
        { name: "Ann's list", rows: sheet(['name', 'reference'], ['Mug', 'A'], ['Cup', 'B']) },
      ];
      write('in.xlsx', await makeWorkbook({ sheets }));
      const { id } = await ui.open('in.xlsx');
      ok(await ui.call('PATCH', `/works/${id}`, { choice: { sheet: "Ann's list" } }));
      return [await commandOf(ui, id, { does: 'check' })];
    },
    prints: [["storeport validate products ./in.xlsx --sheet 'Ann'\\''s list'", 0]],
  },
  'a file that is read in another way': {
    files: { 'in.csv': `Price list;;\n${SHOP.replaceAll(',', ';')}`, 'rows.csv': 'A1,Mug\nA2\n' },
    act: async (ui) => {
      const { id } = await ui.open('in.csv');
      const choice = { skipLines: 1, delimiter: ';', quote: '', encoding: 'windows-1252', format: 'csv' };
      ok(await ui.call('PATCH', `/works/${id}`, { choice }));
      const { id: other } = await ui.open('rows.csv');
      ok(await ui.call('PATCH', `/works/${other}`, { choice: { noHeader: true, padRows: true } }));
      for (const [field, column] of Object.entries({ reference: 'A', name: 'A' }))
        await post(ui, `/works/${other}/mapping`, { op: 'set', field, rule: { columns: [column] } });
      return [await commandOf(ui, id, { does: 'check' }), await commandOf(ui, other, { does: 'check' })];
    },
    prints: [
      [
        "storeport validate products ./in.csv --mapping ./in.mapping.yaml --format csv --encoding windows-1252 --delimiter ';' --quote= --skip-lines 1",
        0,
      ],
      ['storeport validate products ./rows.csv --mapping ./rows.mapping.yaml --no-header --pad-rows', 0],
    ],
  },
  'a mapping that is edited after it was saved': {
    files: { 'in.csv': SHOP },
    act: async (ui) => {
      const { id } = await ui.open('in.csv');
      const first = await commandOf(ui, id, { does: 'check' });
      await post(ui, `/works/${id}/mapping`, { op: 'constant', field: 'brand.name', value: 'Acme' });
      return [first, await commandOf(ui, id, { does: 'check' })];
    },
    prints: [['storeport validate products ./in.csv --mapping ./in.mapping.yaml', 0]],
    after: () => expect(readFileSync(join(cli.cwd, 'in.mapping.yaml'), 'utf8')).toContain('Acme'),
  },
  'identifiers of another system, with and without a mode': {
    files: { 'in.csv': '_id,SKU,Title\nproduct.1,A,Mug\n' },
    act: async (ui) => {
      const { id } = await ui.open('in.csv');
      const choice = { limit: 1, rate: 50 };
      return [
        await commandOf(ui, id, { does: 'import', store: 'sandbox', ...choice }),
        await commandOf(ui, id, { does: 'import', store: 'environment', mode: 'upsert', ...choice }),
      ];
    },
    prints: [
      [
        'storeport import products ./in.csv --mapping ./in.mapping.yaml --mode create --limit 1 --rate 50 --sandbox',
        0,
      ],
      ['storeport import products ./in.csv --mapping ./in.mapping.yaml --mode upsert --limit 1 --rate 50', 1],
    ],
  },
  'a profile with a blank in its name': {
    files: { 'in.csv': NATIVE },
    act: async (ui) => {
      const { url, clientId, clientSecret } = cli.sandbox;
      const profile = { 'base-url': url, 'client-id': clientId, 'client-secret': clientSecret };
      writeFileSync(join(cli.cwd, CONFIG_FILE), JSON.stringify({ profiles: { 'my shop': profile } }), {
        mode: 0o600,
      });
      const { id } = await ui.open('in.csv');
      const store = 'profile:my shop';
      const check = await ui.finish({ kind: 'check', work: id, store });
      expect(check).toMatchObject({ storeId: store });
      return [await commandOf(ui, id, { does: 'import', store }), check];
    },
    prints: [
      ["storeport import products ./in.csv --profile 'my shop'", 0],
      ["storeport validate products ./in.csv --profile 'my shop'", 0],
    ],
  },

  // Jobs and runs.
  'a trial, a check and an import': {
    files: { 'in.csv': NATIVE },
    act: async (ui) => {
      const { id } = await ui.open('in.csv');
      const target = { store: 'environment', agreed: cli.sandbox.url };
      return [
        await ui.finish({ kind: 'import', work: id, store: 'sandbox' }),
        await ui.finish({ kind: 'check', work: id, store: 'sandbox', limit: 1 }),
        await ui.finish({ kind: 'import', work: id, ...target }),
        await ui.finish({ kind: 'auth-check', store: 'environment' }),
      ];
    },
    prints: [
      ['storeport import products ./in.csv --sandbox', 0],
      ['storeport import products ./in.csv --limit 1 --dry-run --sandbox', 0],
      ['storeport import products ./in.csv', 0],
      ['storeport auth check', 0],
    ],
    after: () => expect(cli.references()).toEqual(['A', 'B']),
  },
  'a run with a wrong row, in its views': {
    files: { 'in.csv': ONE_WRONG },
    args: ['--home', 'led'],
    act: async (ui) => {
      const run = await importedRun(ui);
      const report = readFileSync(join(cli.cwd, run.out, 'report.html'), 'utf8');
      return [run, await get<RunsView>(ui, '/runs'), ...commandsOfPage(report)];
    },
    // The first command writes the reports again.
    between: () => correctRows((row) => ({ ...row, name: 'Cup' })),
    prints: [
      ['storeport run report RUN --home led', 1],
      ['storeport import products storeport-runs/RUN/errors.csv --home led', 1],
      ['storeport run undo RUN --home led', 2],
      ['storeport run list --home led', 0],
    ],
  },
  'a run with failed records, and one with a record in doubt': {
    files: { 'in.csv': NATIVE },
    args: ['--home', 'led'],
    act: async (ui) => {
      await importedRun(ui);
      write('in.csv', 'name,reference\nMug 2,A\nCup,B\nPot,C\n');
      cli.sandbox.misbehave({ redirect: '#1@update', reset: '#1@create' });
      const run = await importedRun(ui, 'in.csv');
      calm();
      return [run, await get<DoubtsView>(ui, `/runs/${run.run}/doubts`)];
    },
    prints: [
      ['storeport run report RUN --home led', 1],
      ['storeport run resolve RUN --home led', 1],
      ['storeport import products storeport-runs/RUN/errors.csv --home led', 0],
      ['storeport run retry RUN --home led --rejected', 1],
    ],
  },
  'rows that were corrected in the grid': {
    files: { 'in.csv': ONE_WRONG },
    act: async (ui) => {
      const { run } = await importedRun(ui);
      await post(ui, `/runs/${run}/rows`, { op: 'set', cells: [{ index: 0, column: 0, text: 'Cup' }] });
      return [await ui.finish({ kind: 'check-fixes', run, store: 'environment' })];
    },
    prints: [['storeport validate products storeport-runs/RUN/corrected.csv', 0]],
  },
  'an undo': {
    files: { 'in.csv': NATIVE },
    act: async (ui) => {
      const { run } = await importedRun(ui);
      const undone = await ui.finish({ kind: 'undo', run, agreed: cli.sandbox.url });
      return [undone, await get(ui, `/runs/${run}`), await get(ui, `/runs/${undone.run}`)];
    },
    prints: [
      ['storeport run undo RUN --yes', 0],
      ['storeport run report RUN', 0],
      ['storeport run report RUN', 0],
    ],
  },
  'an import that is stopped': {
    files: {
      'in.csv': `name,reference\n${Array.from({ length: 8 }, (_, n) => `Mug ${n},M-${n}\n`).join('')}`,
    },
    args: ['--home', 'led'],
    act: async (ui) => {
      cli.sandbox.misbehave({ latency: '20ms' });
      const { id } = await ui.open('in.csv');
      const target = { store: 'environment', agreed: cli.sandbox.url };
      const { id: job } = await ui.start({ kind: 'import', work: id, ...target, rate: 5 });
      await ui.until(job, ({ progress }) => (progress?.records ?? 0) >= 1);
      await post(ui, `/jobs/${job}/control`, { action: 'stop' });
      const ended = await ui.until(job, ({ state }) => state === 'ended');
      calm();
      return [ended, await get(ui, `/runs/${ended.run}`)];
    },
    prints: [
      ['storeport import products ./in.csv --rate 5 --home led', 0],
      ['storeport run report RUN --home led', 130],
      ['storeport run resume RUN --home led', 0],
      ['storeport import products storeport-runs/RUN/errors.csv --rate=5 --home led', 0],
      ['storeport run undo RUN --home led', 2],
    ],
  },
  'an import whose canary is not followed by the rest': {
    files: {
      'in.csv': `name,reference\n${Array.from({ length: 4 }, (_, n) => `Mug ${n},M-${n}\n`).join('')}`,
    },
    act: async (ui) => {
      const { id } = await ui.open('in.csv');
      const store = 'environment';
      const command = await commandOf(ui, id, { does: 'import', store, canary: 1 });
      const { id: job } = await ui.start({
        kind: 'import',
        work: id,
        store,
        agreed: cli.sandbox.url,
        canary: 1,
      });
      await ui.until(job, ({ state }) => state === 'asking');
      await post(ui, `/jobs/${job}/control`, { action: 'no' });
      const ended = await ui.until(job, ({ state }) => state === 'ended');
      expect(cli.references()).toEqual(['M-0']);
      return [command, ended, await get(ui, `/runs/${ended.run}`)];
    },
    prints: [
      // It asks about the rest, and these commands run without a terminal.
      ['storeport import products ./in.csv --canary 1', 2],
      ['storeport run report RUN', 130],
      ['storeport run resume RUN', 0],
      ['storeport import products storeport-runs/RUN/errors.csv', 0],
      ['storeport run undo RUN', 2],
    ],
    after: () => expect(cli.references()).toEqual(['M-0', 'M-1', 'M-2', 'M-3']),
  },
  'a run of joined files of the command line, with a failed record': {
    act: async (ui) => {
      for (const [file, name] of Object.entries(JOINED_FILES)) write(file, readFileSync(sample(name)));
      cli.sandbox.misbehave({ redirect: '#1@create' });
      await cli.run('import', 'products', ...Object.keys(JOINED_FILES));
      calm();
      const { runs } = await get<RunsView>(ui, '/runs');
      return [await get(ui, `/runs/${runs[0]?.run}`), await get<RunsView>(ui, '/runs')];
    },
    prints: [
      ['storeport run report RUN', 1],
      // The samples have two rows that nobody has corrected.
      ['storeport import products storeport-runs/RUN/errors.csv', 1],
      ['storeport run undo RUN', 2],
      ['storeport run retry RUN --rejected', 1],
      ['storeport run list', 0],
    ],
  },

  // Exports.
  'an export with filters, columns and an age, into a file with quotes in its name': {
    args: ['--folder', 'my shop'],
    act: async (ui) => {
      const choice = { resource: 'reviews', store: 'environment', format: 'csv' } as const;
      const more = { filters: ['rating=5'], columns: ['_id', 'content'], since: '3650d', limit: 4 };
      const out = `Ann's {resource} 100%.csv`;
      const command = await post<ExportCommand>(ui, '/exports/command', { ...choice, ...more, out });
      const job = await ui.finish({ kind: 'export', ...choice, ...more, out });
      return [command, job, await post(ui, '/exports/preview', { ...choice, ...more })];
    },
    prints: [
      [
        `storeport export reviews --format csv --filter=rating=5 --since=3650d --columns=_id,content --limit 4 '--out=my shop/Ann'\\''s {resource} 100%.csv'`,
        0,
      ],
    ],
  },
  'an export of what is new': {
    act: async (ui) => {
      const choice = { resource: 'reviews', store: 'environment', format: 'ndjson', incremental: true };
      return [await post<ExportCommand>(ui, '/exports/command', { ...choice, out: 'r.ndjson.gz' })];
    },
    prints: [['storeport export reviews --format ndjson --incremental --out=r.ndjson.gz', 0]],
  },
};

/** Changes the rows of errors.csv of the only run, as a person does. */
function correctRows(change: (row: Record<string, string>) => Record<string, string>): void {
  const [run = ''] = readdirSync(join(cli.cwd, 'storeport-runs'));
  cli.editRows(join('storeport-runs', run, 'errors.csv'), change);
}

const IDS: readonly (readonly [RegExp, string])[] = [
  [/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN'],
  [/uploads\/[\w-]+\//g, 'uploads/UPLOAD/'],
];

/** A line for cron does what its command does, each night: `%` begins a new line there. */
function commandOfCron(line: string): string {
  const [schedule, rest = ''] = [line.slice(0, 11), line.slice(11).replaceAll('\\%', '%')];
  expect(schedule).toBe('15 3 * * * ');
  expect(rest.startsWith(`cd ${cli.cwd} && `)).toBe(true);
  return rest.slice(`cd ${cli.cwd} && `.length).replace(' --quiet >> export.log 2>&1', '');
}

/** All command lines in an answer, in order. */
function commandsOf(answer: unknown): string[] {
  if (typeof answer === 'string')
    return answer.startsWith('15 3 ') ? [commandOfCron(answer)] : commandsIn(answer);
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.values(answer).flatMap(commandsOf);
}

describe('the commands of the page', () => {
  test.each(Object.entries(SITUATIONS))('for %s run as they are', async (_, situation) => {
    const { files = {}, args = [], act, between, prints, after } = situation;
    mkdirSync(join(cli.cwd, 'my shop'));
    for (const [name, content] of Object.entries(files)) write(name, content);
    const ui = await startUi(cli.cwd, { args, env: environmentOf(cli.sandbox) });
    const printed = [...new Set((await act(ui)).flatMap(commandsOf))];
    const withoutIds = (command: string) =>
      IDS.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), command);
    expect(printed.map(withoutIds)).toEqual(prints.map(([command]) => command));
    await between?.();
    await expectToRun(printed, prints, { code: 0, run: cli.run });
    await after?.();
  });
});
