import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { completionTable, SHELL_SCRIPTS } from '../../../src/cli/completion/index.ts';
import { COMMANDS } from '../../../src/cli/main.ts';
import { presetNames } from '../../../src/map/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { commandOnTerminal } from '../../support/on-terminal.ts';
import { binary, sample, temporaryFolder } from '../../support/run.ts';

const table = completionTable(COMMANDS, presetNames());
const scripts = Object.fromEntries(
  Object.entries(SHELL_SCRIPTS).map(([shell, scriptOf]) => [shell, scriptOf(table)]),
);
const flags = table.commands.flatMap(({ options }) => options.map(({ flag }) => flag));

/** Options whose values are free text, so that no shell can complete them. */
const FREE = [
  ...['base-url', 'client-id', 'store-id', 'rate', 'concurrency', 'timeout', 'give-up-after', 'max-errors'],
  ...[
    'limit',
    'show',
    'offset',
    'set',
    'image-base',
    'encoding',
    'delimiter',
    'quote',
    'sheet',
    'skip-lines',
    'rows',
    'skip-rows',
  ],
  ...['image-max-age', 'image-max-size', 'image-rate', 'notify', 'older-than', 'store'],
  ...['canary', 'columns', 'since', 'there', 'row', 'key', 'code', 'port', 'seed', 'token-life'],
  ...[
    'database',
    'database-schema',
    'secret',
    'tag',
    'rate-key',
    'shared-rate',
    'stores',
    'cron',
    'zone',
    'spread',
    'schedule',
  ],
  ...[
    'ended',
    'reviewed',
    'out',
    'host',
    'name',
    'slots',
    'max-source-size',
    'operator-token',
    'viewer-token',
    'public-url',
  ],
];

/** Arguments that only the database of a fleet knows, or that the user makes up. */
const FREE_PLACES = [
  ...['fleet store add name', 'fleet store remove name', 'fleet show task', 'fleet stop tasks'],
  ...[
    'fleet resume tasks',
    'fleet retry tasks',
    'fleet get names',
    'fleet get task',
    'fleet resolve task',
    'fleet schedule add name',
    'fleet schedule pause name',
  ],
  ...['fleet schedule remove name', 'fleet adopt store'],
];

describe('the table that the scripts are made from', () => {
  test('has every command and every option', () => {
    expect(table.commands.map(({ name }) => name)).toEqual([...COMMANDS.keys()]);
    for (const [name, { options }] of COMMANDS) {
      const known = table.commands.find((each) => each.name === name)?.options.map(({ flag }) => flag);
      for (const option of Object.keys(options))
        expect(known, name).toContain(options[option]?.default === true ? `--no-${option}` : `--${option}`);
    }
  });

  test('knows the values of every option, but for those of free text', () => {
    const free = table.commands.flatMap(({ options }) =>
      options.filter(({ values }) => values === 'text').map(({ flag }) => flag.slice(2)),
    );
    expect([...new Set(free)].sort()).toEqual([...FREE].sort());
    const freePlaces = table.commands.flatMap(({ name, places }) =>
      places.filter(({ values }) => values === 'text').map((place) => `${name} ${place.name}`),
    );
    expect(freePlaces.sort()).toEqual([...FREE_PLACES].sort());
  });
});

describe.each(Object.entries(scripts))('the script for %s', (shell, script) => {
  test('has every word of a command, every option and every choice', () => {
    const words = new Set(script.split(/[^\w.-]+/));
    const has = (word: string) => words.has(word) || words.has(word.replace(/^--/, ''));
    for (const { name, options } of table.commands) {
      expect(name.split(' ').filter((word) => !has(word))).toEqual([]);
      for (const { flag, values } of options) {
        expect(has(flag), `${name} ${flag} in ${shell}`).toBe(true);
        if (typeof values === 'object')
          expect(values.filter((value) => !has(value.replace(/=$/, '')))).toEqual([]);
      }
    }
    expect(presetNames().filter((name) => !has(name))).toEqual([]);
  });

  test('has only characters that every locale and terminal can read', () => {
    expect(script).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

/** Makes `storeport` a command of a folder, and returns the environment with it. */
function environmentWith(folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'storeport');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`);
  chmodSync(program, 0o755);
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('STOREPORT_'));
  return { ...Object.fromEntries(clean), PATH: `${bin}${delimiter}${process.env.PATH}` };
}

/** The replies of bash for each command line, whose last word is the one at the cursor. */
function bashReplies(cwd: string, lines: readonly (readonly string[])[]): string[][] {
  const calls = lines.map((words) => {
    const all = ['storeport', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _storeport; printf '%s\\n' "\${COMPREPLY[@]}" ==`;
  });
  const script = `${scripts.bash}\ncompopt() { [ "$*" = '+o default' ] || printf '(%s)\\n' "$*"; }\n${calls.join('\n')}`;
  const shown = execFileSync('bash', ['--norc'], {
    cwd,
    env: environmentWith(cwd),
    input: script,
    encoding: 'utf8',
  });
  return shown
    .split('==\n')
    .slice(0, -1)
    .map((text) => text.split('\n').filter((line) => line !== ''));
}

describe('bash', () => {
  const cli = cliForEachTest();

  test('offers exactly the options of each command', () => {
    const lines = table.commands.map(({ name }) => [...name.split(' '), '--']);
    const expected = table.commands.map(({ options }) => options.map(({ flag }) => flag));
    expect(bashReplies(cli.cwd, lines)).toEqual(expected);
  });

  test('offers commands, their second words, and values where they belong', () => {
    mkdirSync(join(cli.cwd, 'shops'));
    writeFileSync(join(cli.cwd, 'shop map.yaml'), '');
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [['i'], ['import', 'init']],
      [
        ['help', 'i'],
        ['import', 'init'],
      ],
      [['--json', 'dem'], ['demo']],
      [['--home', 'x', 'dem'], ['demo']],
      [
        ['run', 're'],
        ['resume', 'retry', 'resolve', 'report'],
      ],
      [
        ['fleet', 's'],
        ['store', 'schedule', 'show', 'stop', 'serve'],
      ],
      [
        ['fleet', 'store', ''],
        ['add', 'list', 'remove'],
      ],
      [['fleet', 'run', 'import', 'p'], ['products']],
      [
        ['import', ''],
        ['products', 'customers', 'suppliers', 'discounts', 'orders'],
      ],
      [['import', '--limit', '3', 'p'], ['products']],
      [['import', '--dry-run', 'p'], ['products']],
      [
        ['export', ''],
        ['products', 'reviews', 'checkouts', 'images'],
      ],
      [
        ['import', 'products', '--mode', ''],
        ['create', 'update', 'upsert'],
      ],
      // Bash cuts a word at the sign of equality.
      [
        ['import', 'products', '--mode', '='],
        ['create', 'update', 'upsert'],
      ],
      [
        ['import', 'products', '--mode', '=', 'u'],
        ['update', 'upsert'],
      ],
      [
        ['import', 'products', '--mode', '=', 'update', '--no'],
        ['--no-header', '--notify', '--no-progress'],
      ],
      [
        ['clean', 'products', '--to', ''],
        ['csv', 'json', 'ndjson'],
      ],
      [
        ['export', 'reviews', '--format', ''],
        ['csv', 'json', 'ndjson'],
      ],
      [['validate', 'products', '--format', 'x'], ['xlsx']],
      [
        ['export', 'reviews', '--filter', 'r'],
        ['(-o nospace)', 'rating='],
      ],
      [
        ['sandbox', '--fault', 'laten'],
        ['(-o nospace)', 'latency='],
      ],
      [['import', 'products', '--limit', ''], []],
      [
        ['completion', ''],
        ['bash', 'zsh', 'fish'],
      ],
      [
        ['mapping', 'check', 'odoo'],
        ['(-o filenames)', 'odoo-customers', 'odoo-products'],
      ],
      [
        ['import', 'products', '--mapping', 'shop '],
        ['(-o filenames)', 'shop map.yaml'],
      ],
      [
        ['import', 'products', '--home', 'sho'],
        ['(-o filenames)', 'shops'],
      ],
      // Readline completes the file itself.
      [['import', 'products', 'sho'], []],
      [['nothing', 'like'], []],
    ];
    const replies = bashReplies(
      cli.cwd,
      cases.map(([words]) => words),
    );
    expect(cases.map(([words], index) => [words, replies[index]])).toEqual(cases);
  });

  test('offers the runs and the profiles of the folder', async () => {
    const { stdout } = await cli.run(
      'import',
      'products',
      sample('native-products.csv'),
      '--json',
      '--home',
      'led',
    );
    const { run } = JSON.parse(stdout);
    writeFileSync(join(cli.cwd, 'storeport.config.yaml'), 'profiles:\n  paris: {}\n  pau: {}\n  lyon: {}\n');
    const replies = bashReplies(cli.cwd, [
      ['run', 'show', '--home', 'led', ''],
      ['run', 'show', ''],
      ['import', 'products', '--profile', 'pa'],
    ]);
    expect(replies).toEqual([['last', run], ['last'], ['paris', 'pau']]);
  });

  test('never runs what the name of a profile says', () => {
    const evil = '$(touch evil); `touch evil`';
    writeFileSync(
      join(cli.cwd, 'storeport.config.yaml'),
      JSON.stringify({ profiles: { [evil]: {}, "it's": {} } }),
    );
    const [replies = []] = bashReplies(cli.cwd, [['auth', 'check', '--profile', '']]);
    // As a word for the shell, each reply is the name again.
    const names = replies.map((word) =>
      execFileSync('bash', ['-c', `printf %s ${word}`], { cwd: cli.cwd, encoding: 'utf8' }),
    );
    expect(names).toEqual([evil, "it's"]);
    expect(execFileSync('ls', { cwd: cli.cwd, encoding: 'utf8' })).not.toContain('evil');
  });
});

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

describe.runIf(has('fish'))('fish', () => {
  let cwd = '';
  beforeAll(() => {
    cwd = temporaryFolder(() => {});
  });

  const replies = (line: string): string[] => {
    const call = `complete -C ${JSON.stringify(`storeport ${line}`)}`;
    const shown = execFileSync('fish', ['--no-config', '-c', `${scripts.fish}\n${call}`], {
      ...{ cwd, encoding: 'utf8' as const },
      env: { ...environmentWith(cwd), HOME: cwd },
    });
    return shown
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => each.split('\t')[0] ?? '')
      .sort();
  };

  test('offers exactly the options of a command', () => {
    for (const name of ['import', 'run resolve', 'export']) {
      const options = table.commands.find((each) => each.name === name)?.options ?? [];
      expect(replies(`${name} --`), name).toEqual(options.map(({ flag }) => flag).sort());
    }
  });

  test.each([
    ['i', ['import', 'init']],
    ['run re', ['report', 'resolve', 'resume', 'retry']],
    ['import --limit 3 p', ['products']],
    ['import products --mode ', ['create', 'update', 'upsert']],
    ['export reviews --format ', ['csv', 'json', 'ndjson']],
    ['import products --limit ', []],
    ['mapping show odoo', ['odoo-customers', 'odoo-products']],
  ])('completes storeport %s', (line, expected) => expect(replies(line)).toEqual(expected));
});

describe.runIf(has('zsh') && process.platform === 'linux')('zsh', () => {
  test.each([
    ['import products --mod', '--mode', 'upsert'],
    ['run ', 'Settle records that are in doubt', ''],
    ['mapping show odoo-c', 'odoo-customers', ''],
  ])('completes storeport %s', async (line, first, second) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'script'), scripts.zsh ?? '');
    const setUp =
      "PS1='rea''dy> '; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source ./script\n";
    const ended = await commandOnTerminal(
      ['zsh', '-f', '-i'],
      [
        ['', setUp],
        ['ready> ', `storeport ${line}\t`],
        [first, '\t'],
        // Ctrl-U clears the line.
        [second, '\u0015exit\n'],
      ],
      { cwd, env: { ...environmentWith(cwd), HOME: cwd, TERM: 'dumb' } },
    );
    expect(ended.stderr).toBe('');
  });
});

test('every option of the scripts is unique within its command', () => {
  expect(flags.length).toBeGreaterThan(200);
  for (const { options } of table.commands)
    expect(new Set(options.map(({ flag }) => flag)).size).toBe(options.length);
});
