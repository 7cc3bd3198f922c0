import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync, readFileSync } from './fs.ts';

/**
 * Returns the absolute path of a file or folder shipped with the code: `mappings`, `samples`, the OpenAPI document.
 * Works from `src/` and from the bundle in `dist/`, since both are below the folder of package.json.
 */
export function packageFile(...parts: string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder)
      throw new Error('The installation is broken: there is no package.json above the code.');
    folder = above;
  }
  return join(folder, ...parts);
}

/** The version of the package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
