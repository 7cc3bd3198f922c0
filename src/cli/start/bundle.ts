import { readFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder, openCodeCache } from './code-cache.ts';

/** The parameters of a CommonJS module. */
const [BEFORE, AFTER] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

type Load = (name: string) => unknown;
type Evaluate = (
  exports: unknown,
  load: Load,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/**
 * Loads a file of the bundle, which is CommonJS, with the code that V8 compiled for the same command before. Compiling
 * takes a third of the CPU time of a short import. Node 22 keeps compiled code itself.
 *
 * `command`: the first word of the command line.
 */
export function loadBundle(file: string, command: string): unknown {
  const keep = process.env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFolder(dirname(file));
  const native = createRequire(file);
  if (keep === undefined) return native(file);
  if ('enableCompileCache' in nodeModule) {
    (nodeModule as { enableCompileCache(folder: string): unknown }).enableCompileCache(keep);
    return native(file);
  }
  const cache = openCodeCache(keep, command);
  process.once('exit', cache.save);
  return loadWith(file, native, cache.compile);
}

function loadWith(file: string, native: Load, compile: ReturnType<typeof openCodeCache>['compile']): unknown {
  const folder = dirname(file);
  const modules = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known) return known.exports;
    if (!name.startsWith('./')) return native(name);
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(folder, name);
    const bytes = readFileSync(filename);
    // The bundle is ASCII, and needs no decoding.
    const source = bytes.toString('latin1');
    const script = compile(
      name,
      bytes,
      (cachedData) => new Script(BEFORE + source + AFTER, { filename, cachedData }),
    );
    (script.runInThisContext() as Evaluate)(module.exports, load, module, filename, folder);
    return module.exports;
  };
  return load(`./${file.slice(folder.length + 1)}`);
}
