import { basename, relative, sep } from 'node:path';

/** Suggested next commands for new users. */
const STEPS = [
  ['validate products YOUR-EXPORT.csv', 'what would happen to your own file; nothing is sent'],
  ['import products YOUR-EXPORT.csv --sandbox', 'a real import, to a store that ends with the command'],
  ['mapping show shopify-products', 'how columns become fields; a start for your own mapping'],
  ['--help', 'all commands'],
] as const;

export function firstSteps(): string[] {
  return stepLines(STEPS);
}

/** Text for `storeport` without a command. */
export function welcome(): string {
  const first = ['demo', 'a tour: a store, an import and exports, on this machine only'] as const;
  return [
    "storeport moves a shop's data in and out of a store, in bulk, and accounts for every row. Name a command, such as:",
    ...stepLines([first, ...STEPS]),
  ].join('\n');
}

/** Formats commands, without `storeport`, beside what they do. */
export function stepLines(steps: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(([command, what]) => `  storeport ${command.padEnd(width)}   ${what}`);
}

/** Returns the call of the script if the command `storeport` is not installed; undefined if it is. */
export function scriptCall(script: string | undefined): string | undefined {
  if (script === undefined || basename(script) !== 'storeport.js') return undefined;
  // Package managers also start the script by its path, inside node_modules.
  if (script.split(sep).includes('node_modules')) return undefined;
  return `node ${relative('', script)}`;
}
