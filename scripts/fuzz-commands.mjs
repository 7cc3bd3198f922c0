// Runs `validate` and `import --dry-run` with hostile files of all formats: no bug, no other exit code, at most 250 MB, and
// each ends. Its short form is test/cli/input/hostile-files.slow.test.ts.
//
//   node scripts/fuzz-commands.mjs [--count 100000] [--seed 1]
//   node scripts/fuzz-commands.mjs --only 4711
//
// Exits with 1 if a file is at fault, and prints the number that repeats it. Measures memory on Linux only.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.fuzz', ['test/fuzz/commands.ts']);
