import { EXIT_CODES } from '../model/index.ts';

export { EXIT_CODES, exitCodeOf, exitCodeOfError } from '../model/index.ts';

/** Formats the table for the end of `--help`. */
export function exitCodeHelp(): string {
  const lines = Object.values(EXIT_CODES).map(
    ({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`,
  );
  return ['Exit codes:', ...lines].join('\n');
}
