import { expect, test } from 'vitest';
import { allOptions } from '../../../src/cli/find-command.ts';
import { helpOptions } from '../../../src/cli/help-options.ts';
import { COMMANDS, kinds } from '../../../src/cli/main.ts';
import { readCommandLine } from '../../../src/cli/options/command-line.ts';
import { TOPICS } from '../../../src/options/index.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';

const commands = [...COMMANDS].map(([name, command]) => ({ name, command }));
const longest = commands.filter(({ command }) => command.mainOptions !== undefined);

/** Options that a command may show without naming main ones. */
const MOST_SHOWN = 15;
const MOST_MAIN = 12;
const MOST_WORDS = 300;

const printed = async (...words: string[]) => (await storeport(words, { cwd: temporaryFolder() })).stdout;

test.each(commands)('--help-all shows every option of $name under a topic', ({ command }) => {
  const shown = helpOptions(command, { all: true });
  expect(Object.keys(shown).sort()).toEqual(Object.keys(allOptions(command)).sort());
  const headings = Object.values(TOPICS).map((title) => `${title}:`);
  for (const { group = 'none' } of Object.values(shown)) expect(headings).toContain(group);
});

test('every topic has options', () => {
  const used = commands.flatMap(({ command }) =>
    Object.values(allOptions(command)).map(({ topic }): string => topic),
  );
  expect(Object.keys(TOPICS).filter((topic) => !used.includes(topic))).toEqual([]);
});

test('import --help-all prints each option below its heading, and only defaults that say something', async () => {
  const text = await printed('import', '--help-all');
  const shown = helpOptions(COMMANDS.get('import') as never, { all: true });
  for (const [name, { group = '' }] of Object.entries(shown)) {
    const [, below = ''] = text.split(`\n${group}\n`);
    const [section = ''] = below.split('\n\n');
    expect(section, name).toMatch(new RegExp(`^ +--${name} `, 'm'));
  }
  const [, options = ''] = text.split('\nMapping:\n');
  expect(options).toContain('[default: 16]');
  expect(options).not.toMatch(/\[default: (?:false|\[\])\]/);
  expect(options).toContain('Examples:');
  expect(await printed('help', 'import', '--help-all')).toBe(text);
});

test.each([
  ['import', '--help', '--help-all'],
  ['--help-all', 'import'],
  ['import', '--help-all', '-h'],
])('%s %s %s asks for the whole help of import', (...argv) => {
  expect(readCommandLine(argv, kinds())).toMatchObject({ words: ['import'], help: true, helpAll: true });
});

test.each(['', 'run'])('storeport %s --help-all lists the commands, as --help does', async (group) => {
  const words = group === '' ? [] : [group];
  expect(await printed(...words, '--help-all')).toBe(await printed(...words, '--help'));
});

test('the help of the program names --help-all', async () => {
  expect(await printed('--help')).toMatch(/storeport import --help-all +all, by topic/);
});

test.each(longest)('$name has at most a dozen main options, all of them its own', ({ command }) => {
  const { mainOptions = [] } = command;
  expect(mainOptions.length).toBeLessThanOrEqual(MOST_MAIN);
  expect(new Set(mainOptions).size).toBe(mainOptions.length);
  expect(Object.keys(allOptions(command))).toEqual(expect.arrayContaining([...mainOptions]));
});

test.each(commands)(
  '--help of $name shows about a dozen options, and --help-all if there are more',
  (each) => {
    const { command } = each;
    const { 'help-all': more, ...shown } = helpOptions(command, { all: false });
    const all = Object.keys(allOptions(command));
    expect(Object.keys(shown)).toEqual([...(command.mainOptions ?? all)]);
    expect(Object.keys(shown).length).toBeLessThanOrEqual(MOST_SHOWN);
    const hidden = all.length - Object.keys(shown).length;
    expect(more?.describe).toBe(hidden > 0 ? `Show ${hidden} more options, by topic` : undefined);
  },
);

test('import --help has at most 300 words, and names --help-all', async () => {
  const text = await printed('import', '--help');
  expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
  expect(text).toMatch(/^ +--help-all +Show \d+ more options, by topic/m);
  expect(text).toContain('Examples:');
});
