import { storeportProcess } from './run.ts';

/** The system's figure for this process. `resourceUsage` would include that of the process that started it. */
const SCRIPT = `import { readFileSync } from 'node:fs';
process.on('exit', () => console.error(/VmHWM.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]));`;
const SAY_MEMORY = `--import=data:text/javascript,${encodeURIComponent(SCRIPT)}`;

/** Runs the built command to its end. Returns its peak memory too, in MB. On Linux only. */
export async function withPeakMemory(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
) {
  const env = { ...options.env, NODE_OPTIONS: SAY_MEMORY };
  const ended = await storeportProcess(args, { ...options, env });
  const peak = /VmHWM:\s*(\d+) kB\n/.exec(ended.stderr);
  if (!peak) throw new Error(`the command did not end by itself: ${ended.code} ${ended.stderr}`);
  return { ...ended, peakMb: Number(peak[1]) / 1024 };
}

/** The most that any input may need. */
export const MAX_PEAK_MB = 250;
