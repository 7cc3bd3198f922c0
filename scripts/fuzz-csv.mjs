// Compares the reader of regular CSV rows with csv-parse on random hostile input, cut anywhere: cells, places, bytes, damage.
// Not part of the tests, since it takes minutes; its short form is in test/read/csv/regular-rows.test.ts.
//
//   node scripts/fuzz-csv.mjs [--count 1000000] [--seed 1]
//
// Exits with 1 if an input is read differently, and prints the seed that repeats it.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.fuzz', ['test/fuzz/csv.ts']);
