import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../model/index.ts';

/** A folder for the ledger of a sandbox that ends with the command. It is also removed if the process ends at once. */
export function temporaryHome(): { readonly home: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), 'storeport-home-'));
  const remove = () => removeFolder(home);
  process.once('exit', remove);
  return {
    home,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}
