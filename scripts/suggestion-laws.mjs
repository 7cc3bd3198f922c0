// Changes tables of real files in ways that must not change the records of other rows, and suggests a mapping for each: a row of
// totals, a name that was forgotten, columns in another order. Not part of the tests: the files are not ours.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/suggestion-laws.mjs [--law totals] [--file shopify]
//
// Prints each harm, and for each law how many files it holds for. Exits with 1 if there is a harm.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.laws', ['test/laws/main.ts']);
