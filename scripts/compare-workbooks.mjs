// Reads workbooks, and compares every cell of every sheet with the CSV that LibreOffice writes of it. Not part of the
// tests, which need no other program.
//
//   node scripts/compare-workbooks.mjs [FILE.xlsx ...]
//
// Makes workbooks of its own, and also compares those that LibreOffice saves of them; then compares the named files. Needs
// soffice on the PATH. Prints a table; exits with 1 if a cell differs, and the guide does not say that it does.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.workbooks', ['test/workbooks/main.ts']);
