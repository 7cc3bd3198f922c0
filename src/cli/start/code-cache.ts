import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Compiled code of one file. It counts only for the same source, which V8 does not compare. */
interface Part {
  readonly name: string;
  readonly source: number;
  readonly code: number;
  readonly bytes: number;
}

interface CodeCache {
  /** Calls `compile` with the compiled code of an earlier process, if it is of the same source. */
  compile(name: string, source: Buffer, compile: (code: Buffer | undefined) => Script): Script;
  /** Keeps the code of what was compiled, unless all of it was kept before. To be called at the end of the process. */
  save(exitCode: number): void;
}

/** As in exit-codes.ts, which loads more: the first word of a wrong command line may be any word. */
const WRONG = 2;

/**
 * Returns the folder for compiled code: beside the bundle, so that it is removed with it, else in the cache of the user.
 * Others cannot write there unless they could change what runs anyway. Undefined if neither can be written.
 * `homeOf`: throws for an account that the machine does not know, as in containers.
 */
export function cacheFolder(bundle: string, homeOf = homedir): string | undefined {
  const places = [
    { pathOf: () => join(bundle, 'compiled'), mode: 0o755 },
    { pathOf: () => ownCache(homeOf()), mode: 0o700 },
  ];
  for (const { pathOf, mode } of places) {
    try {
      const folder = pathOf();
      mkdirSync(folder, { recursive: true, mode });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Without compiled code the start only takes longer.
    }
  }
  return undefined;
}

function ownCache(home: string): string {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  return join(isAbsolute(given) ? given : join(home, '.cache'), 'storeport');
}

/**
 * Opens the compiled code of one command: one file with the code of all that it loads. It is written at the end of the
 * first command, when V8 has compiled all functions that it needs, and again if a later one loads more. Errors of the disk
 * do no harm.
 */
export function openCodeCache(folder: string, command: string): CodeCache {
  const file = join(folder, `${process.version}-${process.arch}-${command}`);
  const known = readParts(file);
  const fresh = new Map<string, { readonly script: Script; readonly source: number }>();

  return {
    compile(name, bytes, compile) {
      const source = crc32(bytes);
      const found = known.get(name);
      const script = compile(found?.source === source ? found.code : undefined);
      if (found?.source !== source || script.cachedDataRejected) {
        // V8 drops the code of functions that have not run for a while: after a long command, nearly all of the start.
        if (fresh.size === 0) setFlagsFromString('--no-flush-bytecode');
        fresh.set(name, { script, source });
      }
      return script;
    },
    save(exitCode) {
      if (fresh.size === 0) return;
      // V8 takes compiled code for the same flags only.
      setFlagsFromString('--flush-bytecode');
      if (exitCode === WRONG) return;
      const parts = new Map(known);
      for (const [name, { script, source }] of fresh)
        parts.set(name, { source, code: script.createCachedData() });
      writeParts(file, parts);
    },
  };
}

type Parts = ReadonlyMap<string, { readonly source: number; readonly code: Buffer }>;

/** Empty if there is no whole file. The first line is the table of contents. */
function readParts(file: string): Parts {
  try {
    const bytes = readFileSync(file);
    let at = bytes.indexOf('\n') + 1;
    const table = JSON.parse(bytes.toString('latin1', 0, at)) as Part[];
    const parts = new Map<string, { source: number; code: Buffer }>();
    for (const { name, source, code, bytes: size } of table) {
      const part = bytes.subarray(at, at + size);
      // V8 checks its version and its flags, but not that the bytes are whole.
      if (part.length !== size || crc32(part) !== code) return new Map();
      parts.set(name, { source, code: part });
      at += size;
    }
    return parts;
  } catch {
    return new Map();
  }
}

function writeParts(file: string, parts: Parts): void {
  const table = [...parts].map(
    ([name, { source, code }]): Part => ({ name, source, code: crc32(code), bytes: code.length }),
  );
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(
      next,
      Buffer.concat([
        Buffer.from(`${JSON.stringify(table)}\n`),
        ...[...parts.values()].map(({ code }) => code),
      ]),
    );
    renameSync(next, file);
  } catch {
    rmSync(next, { force: true });
  }
}
