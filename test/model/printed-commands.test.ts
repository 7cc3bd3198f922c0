import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import {
  CARRIED_OPTIONS,
  commandAgain,
  fileCommand,
  inCommandLine,
  PLAIN_COMMANDS,
  printedCommand,
  type RunningLine,
  shellWord,
} from '../../src/model/index.ts';
import { COMMON_OPTIONS } from '../../src/options/index.ts';

const LINE: RunningLine = {
  command: 'import',
  words: ['products', 'my shop.csv'],
  options: {
    sheet: "Bob's",
    set: ['a=1', 'b=2'],
    limit: '5',
    'no-header': false,
    home: 'my home',
    json: true,
  },
  takes: ['sheet', 'set', 'limit', 'no-header', 'home', 'json', 'mode', 'skip-lines'],
  isTyped: true,
};
const within = <Result>(work: () => Result, line: Partial<RunningLine> = {}) =>
  inCommandLine({ ...LINE, ...line }, work);
const HOME = shellWord('my home');
const FILE = shellWord('my shop.csv');

describe('a printed command', () => {
  test('has the home of the running command, and no other option of it', () => {
    expect(within(() => printedCommand('run list'))).toBe(`storeport run list --home ${HOME}`);
    expect(within(() => PLAIN_COMMANDS.resume('1'))).toBe(`storeport run resume 1 --home ${HOME}`);
    expect(PLAIN_COMMANDS.resume('1')).toBe('storeport run resume 1');
  });

  test('about the same file has the options that say how it is read and mapped', () => {
    expect(within(() => fileCommand('validate', ['products', 'my shop.csv'], { mapping: './m.yaml' }))).toBe(
      `storeport validate products ${FILE} --sheet ${shellWord("Bob's")} --set a=1 --set b=2 --no-header=false --mapping ./m.yaml --home ${HOME}`,
    );
    expect(within(() => fileCommand('mapping suggest', ['products', 'a.csv']))).not.toContain('--set');
  });

  test('that repeats the running one has all of its options, with one changed', () => {
    expect(within(() => commandAgain({ sheet: 'Stock', limit: undefined }))).toBe(
      `storeport import products ${FILE} --sheet Stock --set a=1 --set b=2 --no-header=false --home ${HOME} --json`,
    );
    expect(within(() => commandAgain({}, { from: 'products', to: 'orders' }))).toContain('import orders ');
  });

  test.each([
    ['reads standard input', { words: ['products', '-'] }, {}],
    ['is run by a page', { isTyped: false }, {}],
    ['does not have the option', {}, { rate: 5 }],
  ])('is not made of one that %s', (_, line, changes) => {
    expect(within(() => commandAgain(changes), line)).toBeUndefined();
  });

  test('about a run has the options of another command about runs, but not those of the import', () => {
    const options = { profile: 'paris' };
    expect(within(() => PLAIN_COMMANDS.retry('1'), { options })).toBe('storeport run retry 1');
    expect(within(() => PLAIN_COMMANDS.retry('1'), { options, command: 'run resume' })).toBe(
      'storeport run retry 1 --profile paris',
    );
  });

  test('keeps words and values that look like options apart from options', () => {
    expect(printedCommand('import', ['products', '-a.csv'], { delimiter: '-' })).toBe(
      'storeport import --delimiter=- -- products -a.csv',
    );
  });
});

test.each(Object.entries(CARRIED_OPTIONS))(
  'all options that are carried to %s are its own',
  (name, carried) => {
    const known = Object.keys({ ...COMMON_OPTIONS, ...COMMANDS.get(name)?.options });
    expect(carried.filter((option) => !known.includes(option))).toEqual([]);
  },
);
