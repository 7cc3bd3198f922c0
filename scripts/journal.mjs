// Measures how fast the ledger in Postgres is read. See test/bench/ledger/measure-journal.ts.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.journal', ['test/bench/ledger/measure-journal.ts']);
