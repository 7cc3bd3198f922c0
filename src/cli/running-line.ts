import type { PrintedOptions, RunningLine } from '../model/index.ts';
import { COMMON_OPTIONS, YES_OR_NO } from '../options/index.ts';
import { allOptions, type FoundCommand } from './find-command.ts';
import type { CommandLine } from './options/command-line.ts';
import { hasPassword } from './options/database-address.ts';

/** The command line as its messages repeat it: its options as they were given, without secrets. */
export function runningLineOf(
  { given }: CommandLine,
  { name: command, command: described, words }: FoundCommand,
  { home }: { readonly home?: unknown },
): RunningLine {
  const all = allOptions(described);
  const options: Record<string, PrintedOptions[string]> = {};
  for (const { name, text = 'true' } of given) {
    const option = all[name];
    // An address of a database is secret only if it has a password.
    const isSecret = option?.isSecret === true && (name !== 'database' || hasPassword(text));
    if (option === undefined || isSecret) continue;
    const before = options[name];
    const texts = Array.isArray(before) ? before : [];
    options[name] = option.array
      ? [...texts, text]
      : option.type === 'boolean'
        ? YES_OR_NO.read(text) === true
        : text;
  }
  // Also if a variable names it: the next command may run without that variable.
  const isUsual = home === undefined || home === COMMON_OPTIONS.home.default;
  return {
    ...{ command, words, takes: Object.keys(all), isTyped: true },
    options: { ...options, home: isUsual ? undefined : String(home) },
  };
}
