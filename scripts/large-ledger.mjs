// Builds a ledger of many identities, and measures its size, the time to open it, look-ups, and an import into it. Needs
// root, since it empties the disk cache, and 210 bytes of disk an identity. The folder is kept, and used again if it has
// enough of them.
//
//   node scripts/large-ledger.mjs FOLDER [identities, default 100000000]
import { runTestProgram } from './test-program.mjs';

const [, , , identities = '100000000'] = process.argv;
process.argv[3] = identities;
await runTestProgram('.large-ledger', ['test/bench/ledger/measure-ledger.ts']);
