// Builds the command line and the benchmark's own programs, and runs the benchmark. See test/bench/bench.ts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTestProgram } from './test-program.mjs';

const children = readdirSync(join(root, 'test/bench/children'));
await runTestProgram(
  '.bench',
  ['test/bench/bench.ts', ...children.map((file) => `test/bench/children/${file}`)],
  { splitting: true },
);
