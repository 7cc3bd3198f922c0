/**
 * Loaded into every measured process with `node --import`: at its end, what the operating system counted for it.
 * The same for all, so that storeport is not measured in another way than what it is held against.
 */
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_USAGE;
if (file)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ peakKb: maxRSS, cpuUs: userCPUTime + systemCPUTime }));
  });
