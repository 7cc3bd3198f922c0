import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import type { main as Main } from '../../src/cli/main.ts';
import { hostileFile } from './hostile-files.ts';
import { keptOutput } from './test-io.ts';

/** How the commands for a hostile file ended. */
export interface HostileEnd {
  readonly number: number;
  readonly ending: string;
  readonly args: readonly string[];
  /** The exit code of the last command, or the stack of an error. */
  readonly code: number | string;
  /** Records that have an outcome; undefined without a summary. */
  readonly records?: number | undefined;
  readonly ms: number;
  /** The reason, and the first lines of the output, if they are not as they must be; undefined otherwise. */
  readonly fault?: string | undefined;
}

const CODES: ReadonlySet<number | string> = new Set([0, 1, 2, 3]);
/** A bug, or the stack of an error. */
const BUG =
  /bug in storeport|\n\s+at (?:async )?\S+ \(|internal-error|undefined is not|\[object Object\]|\b(?:Type|Range|Reference)Error\b/;
/** Reports above it are not read again. */
const MAX_RESULTS_BYTES = 1_000_000;

/** The command line of the build. */
export function builtMain(): typeof Main {
  return createRequire(import.meta.url)(join(process.cwd(), 'dist', 'main.cjs')).main;
}

export interface HostileCommands {
  readonly ending: string;
  /** Run before, if any. It may fail. */
  readonly suggest?: readonly string[];
  readonly args: readonly string[];
}

/** Writes the file with this number into a folder, which is emptied, and returns the commands for it. */
export async function writeHostile(number: number, folder: string): Promise<HostileCommands> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, bytes, resource, beside, options, isImport, isSuggested } = await hostileFile(number);
  writeFileSync(join(folder, name), bytes);
  const words = [...(isImport ? ['import', '--dry-run'] : ['validate']), resource, name, ...beside];
  const args = [...words, '--no-progress', '--home', 'home', '--out', 'out', ...options];
  const ending = name.slice(name.indexOf('.') + 1);
  if (!isSuggested || options.includes('--mapping')) return { ending, args };
  const suggest = ['mapping', 'suggest', resource, name, '--out', 'mapping.yaml', '--home', 'home'];
  return { ending, suggest, args: [...args, '--mapping', 'mapping.yaml'] };
}

/** Writes the file with this number and runs its commands in this process. `onBegin` is called between these. */
export async function runHostile(
  main: typeof Main,
  number: number,
  folder: string,
  onBegin: () => void = () => {},
): Promise<HostileEnd> {
  const { ending, suggest, args } = await writeHostile(number, folder);
  onBegin();
  const begun = performance.now();
  const before = suggest && (await ran(main, suggest, folder));
  const { code, stdout, text } = await ran(main, args, folder);
  const ms = Math.round(performance.now() - begun);
  const books = booksOf(join(folder, 'out'), args);
  const why =
    (before && wordsFault(before.code, before.text, [])) ??
    wordsFault(code, text, args) ??
    (args.includes('--json') ? jsonFault(code, stdout) : undefined) ??
    (typeof books === 'string' ? books : undefined) ??
    codeFault(code, typeof books === 'object' ? books : undefined);
  const fault = why && `${why}\n${code} ${(before?.text ?? '').slice(0, 600)}${text.slice(0, 1500)}`;
  return {
    ...{ number, ending, args, code, ms, fault },
    records: typeof books === 'object' ? books.records : undefined,
  };
}

async function ran(main: typeof Main, args: readonly string[], folder: string) {
  const [stdout, stderr] = [keptOutput(), keptOutput()];
  const io = { stdout, stderr, cwd: folder, env: { NO_COLOR: '1' }, stdin: Readable.from([]) };
  const code = await main(args, io).catch((error: Error) => error.stack ?? String(error));
  return { code, stdout: stdout.text(), text: `${stdout.text()}\n${stderr.text()}` };
}

function wordsFault(code: number | string, text: string, args: readonly string[]): string | undefined {
  if (!CODES.has(code)) return `ends with ${code}`;
  if (BUG.test(text)) return `prints "${BUG.exec(text)?.[0].trim()}"`;
  return code !== 0 && text.trim() === '' && !args.includes('--quiet') ? 'prints nothing' : undefined;
}

function jsonFault(code: number | string, stdout: string): string | undefined {
  try {
    if (stdout !== '' || code === 0) JSON.parse(stdout);
    return;
  } catch (error) {
    return `prints no JSON: ${error}`;
  }
}

interface Summary {
  readonly records: number;
  readonly exit_code: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The summary, undefined without one; a text if it does not agree with the other reports. */
function booksOf(out: string, args: readonly string[]): Summary | string | undefined {
  const path = join(out, 'summary.json');
  if (!existsSync(path)) return;
  const summary: Summary = JSON.parse(readFileSync(path, 'utf8'));
  const sum = Object.values(summary.outcomes).reduce((all, count) => all + count, 0);
  if (sum !== summary.records) return `counts ${sum} outcomes of ${summary.records} records`;
  const results = join(out, 'results.csv');
  if (statSync(results).size > MAX_RESULTS_BYTES) return summary;
  const word = args[args.indexOf('--out-delimiter') + 1] as string;
  const delimiter = word === 'tab' ? '\t' : word;
  const options = args.includes('--out-delimiter') ? { delimiter } : {};
  const rows: Record<string, string>[] = parse(readFileSync(results), {
    columns: true,
    bom: true,
    ...options,
  });
  const counts: Record<string, number> = {};
  for (const { outcome = '' } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const listed = (all: Readonly<Record<string, number>>) => JSON.stringify(Object.entries(all).sort());
  return listed(counts) === listed(summary.outcomes) ? summary : `results.csv has ${listed(counts)}`;
}

function codeFault(code: number | string, summary: Summary | undefined): string | undefined {
  if (summary === undefined) return code === 0 || code === 1 ? 'writes no summary' : undefined;
  if (summary.exit_code !== code) return `notes exit code ${summary.exit_code}`;
  const isClean = Object.keys(summary.outcomes).every((name) =>
    ['planned', 'unchanged', 'duplicate'].includes(name),
  );
  return code === 0 && !isClean ? 'is content with records that went wrong' : undefined;
}
