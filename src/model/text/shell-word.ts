/** A word for a shell, in quotes if it needs them: for sh, or on Windows for PowerShell and, where it can be, cmd. */
export const shellWord: (word: string) => string = shellWordOn(process.platform);

export function shellWordOn(platform: string): (word: string) => string {
  return platform === 'win32' ? wordOfWindows : wordOfSh;
}

function wordOfSh(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function wordOfWindows(word: string): string {
  // In PowerShell a comma makes a list, and @ a list of arguments.
  if (/^[\w+=:./\\~-]+$/.test(word)) return word;
  // Only PowerShell has quotes within which nothing is replaced.
  if (/["$`%!]/.test(word)) return `'${word.replaceAll("'", "''")}'`;
  // Programs read a backslash before a quote as a part of it.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}

/** A path as a word that is neither an option nor a plain name, such as that of a preset. */
export function pathWord(path: string): string {
  return /[\\/]/.test(path) && !path.startsWith('-') ? path : `./${path}`;
}
