import { shellWord } from '../../model/index.ts';

/** The words of a command as one types them into a shell. */
export function commandLine(words: readonly string[]): string {
  return ['storeport', ...words].map(shellWord).join(' ');
}
