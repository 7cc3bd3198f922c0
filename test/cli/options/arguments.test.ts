import { describe, expect, test } from 'vitest';
import { COMMANDS, callOf, kinds } from '../../../src/cli/main.ts';
import { readCommandLine } from '../../../src/cli/options/command-line.ts';
import { ConfigError } from '../../../src/model/index.ts';
import { COMMON_OPTIONS, type Option, type OptionTable, variableOf } from '../../../src/options/index.ts';

const call = (argv: readonly string[], environment: Record<string, string> = {}) =>
  callOf(readCommandLine(argv, kinds()), environment);

const argsOf = async (argv: readonly string[], environment?: Record<string, string>) =>
  (await call(argv, environment)).args as unknown as Record<string, unknown>;

async function refusalOf(argv: readonly string[], environment?: Record<string, string>): Promise<string> {
  const error = await call(argv, environment).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error, argv.join(' ')).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

const tableOf = (options: OptionTable): OptionTable => ({ ...options, ...COMMON_OPTIONS });
const isSwitch = ({ type }: Option) => type === 'boolean';

/** Every command, with valid words. */
const lines = [...COMMANDS].map(([name, { usage, options }]) => {
  const words = (usage.match(/<[^>]+>/g) ?? []).map((_, index) => ['products', 'in.csv'][index] ?? 'x');
  return { name, line: [...name.split(' '), ...words], options: tableOf(options) };
});

/** Every option of every command. */
const allOptions = lines.flatMap(({ name, line, options }) =>
  Object.entries(options).map(([option, about]) => ({ name, line, option, about })),
);

describe('options without a value', () => {
  test.each(lines)('an option without its value is refused by name: $name', async ({ line, options }) => {
    for (const [option, about] of Object.entries(options)) {
      if (isSwitch(about)) continue;
      const places = [
        [...line, `--${option}`],
        [...line, `--${option}`, '--json'],
        [...line, '--json', `--${option}`],
        [...line, `--${option}`, `--${option}=x`],
        [`--${option}`, '--quiet', ...line],
      ];
      for (const argv of places) expect(await refusalOf(argv)).toMatch(`--${option} needs a value: `);
    }
  });

  test('an argument that looks like an option is not a value, and the message shows how to pass it', async () => {
    expect(await refusalOf(['import', 'products', 'in.csv', '--delimiter', '-x'])).toContain(
      'If that is -x, write --delimiter=-x.',
    );
    expect(await argsOf(['import', 'products', 'in.csv', '--delimiter=-'])).toMatchObject({ delimiter: '-' });
    expect(await argsOf(['run', 'resolve', '--there', '-7', '--row', '2'])).toMatchObject({ there: '-7' });
    expect(await argsOf(['export', 'reviews', '--out', '-'])).toMatchObject({ out: '-' });
  });
});

describe('empty values', () => {
  // Empty quotes around cells are allowed; an empty delimiter is refused where files are read.
  const mayBeEmpty = ['quote', 'delimiter'];

  test.each(lines)('an empty value on the command line is refused: $name', async ({ line, options }) => {
    for (const option of Object.keys(options)) {
      if (mayBeEmpty.includes(option)) continue;
      for (const text of ['', ' ', '\t'])
        expect(await refusalOf([...line, `--${option}=${text}`])).toMatch(`--${option} is empty`);
    }
  });

  test.each(lines)(
    'an empty variable is refused if the default could do harm: $name',
    async ({ line, options }) => {
      for (const [option, { emptyIsNone }] of Object.entries(options)) {
        const set = { [variableOf(option)]: '' };
        if (emptyIsNone) expect(await argsOf(line, set), option).toEqual(await argsOf(line));
        else expect(await refusalOf(line, set)).toMatch(`${variableOf(option)} is empty`);
      }
    },
  );

  test('an empty variable never falls back to the default of an option that selects a store, ledger or records', () => {
    const harmless = new Set(allOptions.filter(({ about }) => about.emptyIsNone).map(({ option }) => option));
    const harmful = [
      'home',
      'profile',
      'store-id',
      'sandbox',
      'rate',
      'mapping',
      'mode',
      'limit',
      'offset',
      'store',
    ];
    for (const option of [...harmful, 'dry-run', 'canary', 'mask-contacts', 'max-errors', 'set', 'filter'])
      expect(harmless, option).not.toContain(option);
  });

  test('a file with an empty name is refused', async () => {
    expect(await refusalOf(['import', 'products', ''])).toContain('<files> is empty');
    expect(await refusalOf(['import', '', 'in.csv'])).toContain('<resource> is empty');
  });
});

describe('switches', () => {
  const YES = ['true', 'yes', 'y', 'on', '1', 'TRUE', ' true', 'Yes ', 'Y'];
  const NO = ['false', 'no', 'n', 'off', '0', 'FALSE', ' no '];
  const NEITHER = ['ture', 'enabled', 'ja', '2', '-1', 'yess', 'null', 'dry'];

  test.each(allOptions.filter(({ about }) => isSwitch(about)))(
    '$name --$option takes the same words on the command line and in the environment',
    async ({ line, option }) => {
      const name = option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const variable = variableOf(option);
      for (const [words, value] of [
        [YES, true],
        [NO, false],
      ] as const)
        for (const word of words) {
          expect((await argsOf([...line, `--${option}=${word}`]))[name], word).toBe(value);
          expect((await argsOf(line, { [variable]: word }))[name], word).toBe(value);
        }
      for (const word of NEITHER) {
        expect(await refusalOf([...line, `--${option}=${word}`])).toContain(`found "${word}"`);
        const said = await refusalOf(line, { [variable]: word });
        expect(said).toBe(`${variable} takes yes or no (or true, false, on, off, 1, 0); found "${word}".`);
      }
      expect((await argsOf([...line, `--${option}`]))[name]).toBe(true);
      expect((await argsOf([...line, `--no-${option}`]))[name]).toBe(false);
      expect((await argsOf([...line, `--${option}`, 'false']))[name]).toBe(false);
    },
  );

  test('the command line overrides a variable, which is then not read', async () => {
    const args = await argsOf(['import', 'products', 'in.csv', '--no-dry-run'], {
      STOREPORT_DRY_RUN: 'ture',
    });
    expect(args.dryRun).toBe(false);
  });

  test('a word after a switch is a file', async () => {
    const args = await argsOf(['import', 'products', '--dry-run', 'yes', 'in.csv']);
    expect(args).toMatchObject({ dryRun: true, files: ['yes', 'in.csv'] });
  });
});

describe('option values', () => {
  test.each([
    ['limit', ['0', '-1', '1.5', 'many', '0x10', '1,000', 'Infinity', '9007199254740993']],
    ['offset', ['-1', 'x']],
    ['canary', ['0', 'all']],
    ['rate', ['0', '-3', 'fast', '1e999']],
    ['concurrency', ['0', '1001', 'x']],
    ['timeout', ['0', '30 sec', 'x', '99999h']],
    ['give-up-after', ['-5m', 'never']],
    ['max-errors', ['x', '101%', '1.5']],
    ['mode', ['delete', 'Create']],
    ['format', ['xls']],
    ['set', ['status', 'status=', '=DRAFT']],
  ])('--%s refuses %j, and so does its variable', async (option, texts) => {
    const line = ['import', 'products', 'in.csv'];
    for (const text of texts) {
      const said = await refusalOf([...line, `--${option}=${text}`]);
      expect(said).toContain(`--${option} takes `);
      expect(said).toContain(`found "${text}"`);
      expect(await refusalOf(line, { [variableOf(option)]: text })).toBe(
        said.replace(`--${option}`, variableOf(option)),
      );
    }
  });

  test('values keep quotes, equals signs and leading zeros', async () => {
    const args = await argsOf([
      ...['run', 'resolve', 'last', '--key', '"A-1"', '--key=007', '--there', "'x'", '--row=2', '--row', '3'],
    ]);
    expect(args).toMatchObject({ run: 'last', key: ['"A-1"', '007'], there: "'x'", row: [2, 3] });
    const set = await argsOf(['import', 'products', 'in.csv', '--set', 'name=a=b', '--set=status=DRAFT']);
    expect(set.set).toEqual(['name=a=b', 'status=DRAFT']);
  });

  test('the last of several values applies, in any spelling and position', async () => {
    const args = await argsOf(['--limit', '2', 'import', '--dryRun', 'products', 'in.csv', '--limit=5']);
    expect(args).toMatchObject({ limit: 5, dryRun: true, resource: 'products', files: ['in.csv'] });
  });

  test('every argument after -- is a word', async () => {
    expect((await argsOf(['import', 'products', '--', '--odd.csv'])).files).toEqual(['--odd.csv']);
  });

  test('a variable sets an option that takes a list', async () => {
    expect((await argsOf(['run', 'resolve'], { STOREPORT_ROW: '7' })).row).toEqual([7]);
    expect((await argsOf(['import', 'products', 'a'], { STOREPORT_SET: 'a=b' })).set).toEqual(['a=b']);
  });

  test('options of the same name have the same kind in all commands', () => {
    const kindsOf = new Map<string, Set<boolean>>();
    for (const { option, about } of allOptions)
      kindsOf.set(option, (kindsOf.get(option) ?? new Set()).add(isSwitch(about)));
    for (const [option, found] of kindsOf) expect(found.size, option).toBe(1);
  });
});

describe('misspelled commands and options', () => {
  test.each([
    [['improt', 'products'], 'There is no command "improt". Did you mean import?'],
    [['resume'], 'There is no command "resume". Did you mean run resume or fleet resume?'],
    [['list'], 'There is no command "list". Did you mean run list or mapping list or fleet list?'],
    [['xyzzy'], 'There is no command "xyzzy".'],
    [['run', 'undoo'], 'There is no command "run undoo". Did you mean run undo?'],
    [['mapping', 'shw', 'x'], 'There is no command "mapping shw". Did you mean mapping show?'],
    [['fleet', 'store', 'ad', 'x'], 'There is no command "fleet store ad". Did you mean fleet store add?'],
    [['fleet', 'shedule', 'list'], 'There is no command "fleet shedule". Did you mean fleet schedule?'],
    [['fleet', 'schedule'], 'fleet schedule needs one more word: add, list, pause, remove.'],
    [['run'], 'run needs one more word: list, show, resume, retry, resolve, undo, adopt, report, prune.'],
    [['import', 'products', 'x', '--maping', 'y'], 'import has no option --maping. Did you mean --mapping?'],
    [['import', 'products', 'x', '-json'], 'import has no option -json. Did you mean --json?'],
    [
      ['import', 'products', 'x', '--no-dry-run=y'],
      '--no-dry-run takes no value. Write --no-dry-run or --dry-run.',
    ],
    [
      ['import', 'products', 'x', '--no-home'],
      'There is no --no-home. Write --home with a value, or leave the option out.',
    ],
    [['import', 'products', 'x', '--no-jsn'], 'import has no option --no-jsn. Did you mean --no-json?'],
    [['validate', 'products', 'x', '--rate', '2'], 'validate has no option --rate.'],
    [['import'], '<resource> and <files> are missing: storeport import <resource> <files..>'],
    [['import', 'products'], '<files> is missing: storeport import <resource> <files..>'],
    [['run', 'show', 'a', 'b'], '"b" is one word too many: storeport run show [run]'],
  ])('%j is refused with the nearest name, if any', async (argv, message) => {
    expect(await refusalOf(argv)).toBe(message);
  });
});

describe('unknown words', () => {
  const word = 'a\u001b[31m\nb\u202e';
  const shown = 'a\\u001b[31m\\u000ab\\u202e';
  test.each([
    [['import', 'products', 'x', `--${word}`], `import has no option --${shown}.`],
    [['import', 'products', 'x', `--no-${word}`], `import has no option --no-${shown}.`],
    [['import', 'products', 'x', `-${word}`], `import has no option -${shown}.`],
    [[`${word}`], `There is no command "${shown}".`],
    [['run', word], `There is no command "run ${shown}".`],
    [['run', 'show', 'a', word], `"${shown}" is one word too many: storeport run show [run]`],
    [['import', 'products', 'x', '--mode', word], `--mode takes create, update or upsert; found "${shown}".`],
    [['import', 'products', 'x', '--out', `-${word}`], `If that is -${shown}, write --out=-${shown}.`],
  ])('%j is refused in one line without control characters', async (argv, message) => {
    const refusal = await refusalOf(argv);
    expect(refusal).toContain(message);
    expect(refusal).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('long unknown words are cut in messages', async () => {
    const long = 'x'.repeat(100_000);
    for (const argv of [
      [long],
      ['run', long],
      ['run', 'list', `--${long}`],
      ['run', 'list', '--home=x', long],
    ])
      expect((await refusalOf(argv)).length).toBeLessThan(200);
  });
});
