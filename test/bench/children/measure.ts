/**
 * Loaded into every measured process with `node --import`. Writes the counters of the operating system at its
 * end. The same for all programs, so that storeport is measured in the same way as the others.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = process.env.BENCH_USAGE;
if (file)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { peakKb: maxRSS, cpuUs: userCPUTime + systemCPUTime, mainUs: mainThreadUs() };
    writeFileSync(file, JSON.stringify(usage));
  });

/** CPU time of the thread that runs JavaScript, to a hundredth of a second; undefined where the system does not tell. */
function mainThreadUs(): number | undefined {
  const stat = `/proc/self/task/${process.pid}/stat`;
  if (!existsSync(stat)) return undefined;
  // Behind the name, which may have blanks: state is the third field, user and system time are the 14th and 15th.
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const TICK_US = 10_000;
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}
