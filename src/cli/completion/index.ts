/** Scripts that complete command lines, made from the table of commands. */
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { CompletionTable } from './table.ts';
import { zshScript } from './zsh.ts';

export { completionTable } from './table.ts';

export const SHELL_SCRIPTS: Readonly<Record<string, (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
