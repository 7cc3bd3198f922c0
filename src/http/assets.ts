import { readFileSync } from '../model/files/fs.ts';
import { packageFile } from '../model/index.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A file of a page with its type; undefined if there is none. `path`: of the address. `page`: its HTML file. */
export function assetAt(
  path: string,
  page: string,
): { readonly type: string; readonly text: string } | undefined {
  // Names of the bundle have no dots or separators, so no address leads out of its folder.
  const name = path === '/' ? page : /^\/page\/([\w-]+\.(?:js|css))$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  try {
    return { type, text: readFileSync(packageFile('dist', 'page', name), 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
