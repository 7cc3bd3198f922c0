// The table alone: help must not wait until a whole store is loaded.
import { FAULTS } from '../../sandbox/misbehave/faults.ts';

const WIDTH = 96;
const INDENT = 12;

/** Every fault of the sandbox with an example, by what it is about: the end of `storeport sandbox --help`. */
export function faultHelp(): string {
  const faults = Object.entries(FAULTS);
  const groups = new Set(faults.map(([, { group }]) => group));
  const blocks = [...groups].map((group) => {
    const examples = faults
      .filter(([, fault]) => fault.group === group)
      .map(([name, { example }]) => `${name}=${example}`);
    return `  ${group.padEnd(INDENT - 2)}${lines(examples).join(`\n${' '.repeat(INDENT)}`)}`;
  });
  return ['Faults, each with an example of its value (docs/sandbox.md says what they do):', ...blocks].join(
    '\n',
  );
}

/** Words with two spaces between, as many a line as fit. */
function lines(words: readonly string[]): string[] {
  const [first = '', ...others] = words;
  const filled = [first];
  for (const word of others) {
    const line = `${filled.at(-1)}  ${word}`;
    if (line.length <= WIDTH - INDENT) filled[filled.length - 1] = line;
    else filled.push(word);
  }
  return filled;
}
