import { mergeConfig } from 'vitest/config';
import fast, { reportersFor } from './vitest.config.ts';

/** Tests that are slow by nature: kills, full disks, signals, threads, memory, packaging, and the benchmark's own. */
const slow = mergeConfig(fast, { test: { reporters: reportersFor('slow-results') } });
slow.test.include = ['test/**/*.slow.test.ts'];
slow.test.exclude = fast.test?.exclude?.filter((pattern: string) => pattern !== 'test/**/*.slow.test.ts');

export default slow;
