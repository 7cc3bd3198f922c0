// Measures how fast the ledger in Postgres is read. See test/bench/ledger/measure-postgres.ts.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.postgres-ledger', ['test/bench/ledger/measure-postgres.ts']);
