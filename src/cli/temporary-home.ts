import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtempSync } from '../model/files/fs.ts';
import { removeFolder } from '../model/index.ts';
import type { CommandContext } from './context.ts';

/** A folder for the ledger of a sandbox that ends with the command. It is also removed if the process ends at once. */
export function temporaryHome({ onExit }: Pick<CommandContext, 'onExit'>): {
  readonly home: string;
  remove(): void;
} {
  const home = mkdtempSync(join(tmpdir(), 'storeport-home-'));
  const remove = () => removeFolder(home);
  const forget = onExit(remove);
  return {
    home,
    remove() {
      forget();
      remove();
    },
  };
}
