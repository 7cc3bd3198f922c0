import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Absolute path of a file or folder that ships beside the code (`mappings`, `samples`, the OpenAPI document).
 * Works from `src/` and from the bundle in `dist/`: both lie below the folder that holds package.json.
 */
export function packageFile(...parts: string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, ...parts);
}
