import { expect } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import type { Ended } from './run.ts';

/** Words that a command line can begin with. In text, `storeport` before another word is only the name of the program. */
const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...[...COMMANDS.keys()].map((name) => name.split(' ')[0] ?? ''),
  ...['--help', '--version', 'help'],
]);

/**
 * The command lines in a text, each once, in order. A command ends its line, or is followed by two blanks and what it does, or is
 * in quotes or backticks.
 */
export function commandsIn(text: string): string[] {
  const found = text.split('\n').flatMap((line) =>
    [...line.matchAll(/(?:^|[\s(`"])(storeport\s+([\w-]+).*)$/g)].flatMap(
      ([whole, command = '', first = '']) => {
        if (!FIRST_WORDS.has(first)) return [];
        const [before = ''] = whole;
        if (before === '`' || before === '"') return [command.slice(0, command.indexOf(before))];
        return [command.replace(/ {2,}.*$/, '')];
      },
    ),
  );
  return [...new Set(found)];
}

/** The commands that a report shows to be copied. */
export function commandsOfPage(html: string): string[] {
  const codes = [...html.matchAll(/<div class="command"><code>(.*?)<\/code>/g)].map(([, code = '']) => code);
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
  return codes.map((code) => code.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole));
}

/** Characters with which a shell does something else than pass words. */
const SPECIAL = /[<>|&;()$`*?[\]{}!#~\\]/;

/**
 * Splits a command line into words as a POSIX shell does. Undefined if the shell would not just run it: if it has a placeholder
 * such as `<file>`, or a quote that is not closed.
 */
export function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const letter = command[at] as string;
    if (letter === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === "'" || letter === '"') {
      const end = command.indexOf(letter, at + 1);
      if (end === -1) return undefined;
      const quoted = command.slice(at + 1, end);
      if (letter === '"' && SPECIAL.test(quoted)) return undefined;
      word = `${word ?? ''}${quoted}`;
      at = end;
    } else if (letter === '\\' && at + 1 < command.length) {
      word = `${word ?? ''}${command[++at]}`;
    } else if (SPECIAL.test(letter)) return undefined;
    else word = `${word ?? ''}${letter}`;
  }
  return word === undefined ? words : [...words, word];
}

/** A printed command, with RUN and the like for what differs each time, and the exit code that it ends with. */
export type Printed = readonly [command: string, code: number | 'refused by the shell'];

/** Runs printed commands one after another. `code`: exit code of the command that printed them. */
export async function expectToRun(
  printed: readonly string[],
  prints: readonly Printed[],
  { code, run }: { readonly code: number; readonly run: (...words: string[]) => Promise<Ended> },
): Promise<void> {
  for (const [at, command] of printed.entries()) {
    const expected = prints[at]?.[1];
    const passed = shellWords(command)?.slice(1);
    if (passed === undefined) expect(expected).toBe('refused by the shell');
    if (passed === undefined) continue;
    const again = await run(...passed);
    expect({ command, code: again.code, stderr: again.stderr }).toMatchObject({ code: expected });
    expect(again.stderr).not.toMatch(/bug in storeport|one word too many|has no option|There is no command/);
    // A cure that is printed again has not cured anything.
    if (code === 2 && again.code !== 2) expect(commandsIn(again.stderr)).not.toContain(command);
  }
}
