import type { Command } from '../../../src/cli/commands/command.ts';
import { COMMON_OPTIONS, type OptionTable } from '../../../src/options/index.ts';
import { usageOf } from './commands.ts';
import { fencesIn, type Page, withoutFences } from './pages.ts';

/** Command lines in code of a page: fenced, indented or inline. Words in quotes stay together. */
export function commandLinesIn({ text }: Page): string[][] {
  // Messages have sentences about storeport, and are compared with the code elsewhere.
  const fences = fencesIn(text).filter(({ notes }) => !('message' in notes));
  const fenced = fences.flatMap((fence) => fence.text.replaceAll('\\\n', ' ').split('\n'));
  const prose = withoutFences(text);
  const indented = prose.split('\n').filter((line) => line.startsWith('    '));
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...fenced, ...indented, ...inline].flatMap(commandWords);
}

const STOPS: ReadonlySet<string> = new Set(['|', '>', '>>', '2>', '2>&1', '&&', '||', ';', '#', '…']);

function commandWords(line: string): string[][] {
  return [...line.matchAll(/(?:^|[\s/])storeport(?:\.js)? +(?=[a-z-])(.*)$/g)].map(([, rest = '']) => {
    const words = [...rest.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word);
    // A quoted word, such as ';', does not end the command.
    const end = words.findIndex((word) => STOPS.has(word));
    return words.slice(0, end === -1 ? undefined : end).map((word) => word.replaceAll(/['"]/g, ''));
  });
}

/** The mistake in a command line; undefined if there is none. `words` are those after `storeport`. */
export function complaintAbout(
  words: readonly string[],
  commands: ReadonlyMap<string, Command<unknown>>,
): string | undefined {
  const line = `storeport ${words.join(' ')}`;
  if (words[0] === 'help') return complaintAbout([...words.slice(1), '--help'], commands);
  if (words.every((word) => ['--help', '--help-all', '--version', '-h', '-v'].includes(word)))
    return undefined;
  const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((each) => commands.has(each));
  const command = commands.get(name ?? '');
  if (name === undefined || !command) {
    const group = words.filter((word) => word !== '--help').join(' ');
    const isGroup = [...commands.keys()].some((each) => each.startsWith(`${group} `));
    return isGroup ? undefined : `${line}: there is no such command`;
  }
  const options: OptionTable = { ...command.options, ...COMMON_OPTIONS };
  const left = words.slice(name.split(' ').length);
  let given = 0;
  while (left.length > 0) {
    const word = left.shift() ?? '';
    if (word === '--help' || word === '--help-all') return undefined;
    if (!word.startsWith('--')) {
      given++;
      continue;
    }
    const [flag = '', inline] = word.slice(2).split(/=(.*)/);
    const option = options[flag] ?? options[flag.replace(/^no-/, '')];
    if (!option) return `${line}: there is no option --${flag}`;
    if (option.type === 'boolean') continue;
    const value = inline ?? left.shift();
    if (value === undefined) return `${line}: --${flag} needs a value`;
    if (option.choices && !option.choices.includes(value)) return `${line}: --${flag} cannot be ${value}`;
    if (option.type === 'number' && !/^(\d+(\.\d+)?|[A-Z])$/.test(value))
      return `${line}: --${flag} takes a number`;
  }
  const least = command.usage.match(/<[^>]+>/g)?.length ?? 0;
  const most = command.usage.includes('..')
    ? Number.POSITIVE_INFINITY
    : (command.usage.match(/[<[]/g)?.length ?? 0);
  return given < least || given > most
    ? `${line}: ${given} arguments for ${usageOf(name, command)}`
    : undefined;
}
