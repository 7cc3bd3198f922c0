import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { main as Main } from '../../src/cli/main.ts';
import { hostileFile } from './hostile-files.ts';
import { keptOutput } from './test-io.ts';

/** How a command ended with a hostile file. */
export interface HostileEnd {
  readonly number: number;
  readonly ending: string;
  readonly args: readonly string[];
  readonly code: number | string;
  readonly ms: number;
  /** The first lines of the output if it is not as it must be; undefined otherwise. */
  readonly fault?: string | undefined;
}

const CODES: ReadonlySet<number | string> = new Set([0, 1, 2, 3]);
/** A bug, or the stack of an error. */
const BUG = /bug in storeport|\n\s+at \S+ \(|internal-error|undefined is not|\[object Object\]/;

/** The command line of the build. */
export function builtMain(): typeof Main {
  return createRequire(import.meta.url)(join(process.cwd(), 'dist', 'main.cjs')).main;
}

export const endingOf = (name: string) => name.slice(name.indexOf('.') + 1);

/** Writes the file with this number into a folder, which is emptied, and returns the command line for it. */
export async function writeHostile(number: number, folder: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, bytes, resource, options } = await hostileFile(number);
  writeFileSync(join(folder, name), bytes);
  const command = number % 3 === 0 ? ['import', resource, name, '--dry-run'] : ['validate', resource, name];
  return { name, args: [...command, '--no-progress', '--home', 'home', '--out', 'out', ...options] };
}

/** Checks the file with this number, or imports it without sending, in this process. */
export async function runHostile(main: typeof Main, number: number, folder: string): Promise<HostileEnd> {
  const { name, args } = await writeHostile(number, folder);
  const [stdout, stderr] = [keptOutput(), keptOutput()];
  const begun = performance.now();
  const io = { stdout, stderr, cwd: folder, env: { NO_COLOR: '1' }, stdin: process.stdin };
  const code = await main(args, io).catch((error: Error) => error.stack ?? String(error));
  const ms = Math.round(performance.now() - begun);
  const text = `${stdout.text()}\n${stderr.text()}`;
  const isRight = CODES.has(code) && !BUG.test(text) && (code === 0 || text.trim() !== '');
  const fault = isRight ? undefined : `${code} ${text.slice(0, 1500)}`;
  return { number, ending: endingOf(name), args, code, ms, fault };
}
