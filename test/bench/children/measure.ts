/**
 * Loaded into every measured process with `node --import`. Writes the counters of the operating system at its
 * end. The same for all programs, so that storeport is measured in the same way as the others.
 */
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_USAGE;
if (file)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ peakKb: maxRSS, cpuUs: userCPUTime + systemCPUTime }));
  });
