// Checks 10,000 products whose images are on servers of this program, 300 of them dead in six ways, with
// `storeport validate --check-images`. Compares the records that are refused with those whose images are dead, and the
// requests with the addresses. Then checks them once more, which must ask only for the dead ones.
//
//   npm run build && node scripts/dead-images.mjs [requests a second for each host, default 500]
//
// Prints the time that each check took; exits with 1 if anything differs.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.dead-images', ['test/dead-images/main.ts']);
