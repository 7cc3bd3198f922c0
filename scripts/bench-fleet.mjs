// Measures a fleet, with a server of Postgres of its own in a temporary folder. Needs the programs of Postgres 15.
//
//   node scripts/bench-fleet.mjs rate [--rows 100000 --rounds 3]
//                                       rows a second and CPU a row of one worker with 20 stores and with one, beside the
//                                       plain command line
//   node scripts/bench-fleet.mjs memory [--rows 10000]
//                                       memory of a worker with 0, 1, 5 and 20 stores at once, each with this number of rows
//   node scripts/bench-fleet.mjs nightly [--stores 1000 --workers 1 --reviews 100]
//                                       one export for each store: time, connections, load of the database
//   node scripts/bench-fleet.mjs recovery [--kills 5]
//                                       time from a kill to the next request, with the real lease
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTestProgram } from './test-program.mjs';

const children = readdirSync(join(root, 'test/bench/fleet/children'));
await runTestProgram(
  '.bench-fleet',
  ['test/bench/fleet/main.ts', ...children.map((file) => `test/bench/fleet/children/${file}`)],
  // One of them is only an import of a program.
  { ignoreAnnotations: true },
);
