// Reads files that others wrote to break parsers (csv-spectrum, csv-test-data, fixtures of csv-parser, csvkit, Papa Parse and
// the W3C, the JSON test suite) and compares the result with the one that they give. Not part of the tests: the files are
// not ours.
//
//   STOREPORT_TEST_DATA=/path/to/files node scripts/torture.mjs
//
// The folder has a folder "parser-torture". Prints a table; exits with 1 if a file is read otherwise, and
// test/torture/differences.ts has no reason for it.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.torture', ['test/torture/main.ts']);
