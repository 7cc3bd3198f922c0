// Suggests a mapping for each public file, and compares it with the truth: which column is which field, as a person found by
// reading the cells, and the records that the preset of the platform makes of the same rows. Does so with all words of column
// names, and again without those that only this platform shows, as for an unknown platform. The files are not part of the tests.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/score-suggestions.mjs [--platform thelia] [--words]
//
// Prints what is missed and wrong, and the shares by platform; with --words also the words that are taken out. Exits with 1 if
// a share is below its limit (test/score/main.ts).
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.score', ['test/score/main.ts']);
