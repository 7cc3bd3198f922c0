import { basename, dirname, join, sep } from 'node:path';
import { existsSync, realpathSync, relative, resolve } from '../model/files/fs.ts';
import { ConfigError, isOwnName, makePrivateFolder, shownWord } from '../model/index.ts';
import type { UiContext } from './context.ts';

/**
 * Limits the paths that a page can name. A page is less trusted than a command line: it shows data of other people, and
 * whoever finds a fault in it must not read or write elsewhere. `named`: files of the command line, wherever they are.
 */
export function confinedTo(
  folder: string,
  named: readonly string[],
  cwd = resolve('.'),
): Pick<UiContext, 'cwd' | 'folder' | 'within' | 'reaches' | 'shown' | 'word'> {
  const root = realpathSync(folder);
  const others = new Set(named.map((path) => realpathSync(path)));
  const isAllowed = (real: string) =>
    others.has(real) || real.startsWith(root.endsWith(sep) ? root : root + sep);
  return {
    ...{ cwd, folder: root },
    within(path) {
      const asked = resolve(root, path);
      const real = existsSync(asked) ? realpathSync(asked) : join(realFolder(asked), basename(asked));
      if (isPrivate(real))
        throw new ConfigError(`${shownWord(path)} is not for the page: it holds settings or the ledger.`, [
          'Choose a file of the shop.',
        ]);
      if (isAllowed(real)) return real;
      throw new ConfigError(`${shownWord(path)} is not in ${root}.`, [
        'Drop the file on the page, or start storeport ui in its folder.',
      ]);
    },
    reaches: (path) => isAllowed(existsSync(path) ? realpathSync(path) : path),
    shown: (path) => fromFolder(root, path),
    word: (path) => fromFolder(cwd, path),
  };
}

/** Files with secrets, and those that storeport keeps: a page neither shows nor changes them. */
function isPrivate(path: string): boolean {
  const name = basename(path);
  return /^\.env(?:\..+)?$|^storeport\.config\.ya?ml$/i.test(name) || isOwnName(name);
}

/** The path relative to a folder, if it is below it. The folder itself is `.`. */
function fromFolder(folder: string, path: string): string {
  const below = relative(folder, path) || '.';
  return below.split(sep)[0] === '..' ? path : below;
}

/** Throws ConfigError if the folder of a file does not exist. */
function realFolder(file: string): string {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new ConfigError(`There is no folder ${folder}.`, ['Make it first.']);
  return realpathSync(folder);
}

/** Paths of private folders below `ui/` in `home`. */
export function ownFoldersIn(home: string): UiContext['ownFolder'] {
  return (...parts) => {
    let folder = join(home, 'ui');
    makePrivateFolder(folder);
    for (const part of parts) {
      folder = join(folder, part);
      makePrivateFolder(folder);
    }
    return folder;
  };
}
