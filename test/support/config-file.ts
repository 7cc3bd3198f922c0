import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './run.ts';

export const CONFIG_FILE = 'storeport.config.yaml';

/** A working directory with this configuration file and these others. */
export function folderWith(config: string, files: Readonly<Record<string, string>> = {}): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries({ [CONFIG_FILE]: config, ...files }))
    writeFileSync(join(cwd, name), text, { mode: 0o600 });
  return cwd;
}
