// Proves by the store's own journal what the ledger promises, on the built command and against the sandbox. Not part of
// the tests, since it takes minutes; test/cli/crash-recovery.test.ts, chaos.test.ts, sync-order.test.ts and disk-faults.test.ts are
// its short form.
//
//   node scripts/faults.mjs order                       each create is written to its socket after its intent was
//                                                       synced to disk, by the system calls that strace sees
//   node scripts/faults.mjs random [--runs 200] [--seed 1]
//                                                       imports of 2,000 records, killed at random moments, and many
//                                                       of those that go on with them too
//   node scripts/faults.mjs every [--call pwrite64 --from 1 --to 20]
//                                                       an import of 30 records, killed before each single write, sync,
//                                                       removal and renaming, SQLite's own too; the same for resuming one
//   node scripts/faults.mjs damage [--count 200 --seed 1 --jobs 2] [--only 17 --keep --undamaged]
//                                                       random damage to homes whose imports were killed, then list,
//                                                       resume, retry and the same import in random order. --only: run
//                                                       one case by its seed; --keep: keep its folder; --undamaged:
//                                                       damage nothing, so that nothing may be refused
//   node scripts/faults.mjs chaos [--records 20000 --seeds 1,2,3,4,5]
//                                                       an import into a store in every trouble at once: refusals, errors
//                                                       in bursts, lost and spoilt answers, silence, an outage, tokens that
//                                                       run out. Each seed is another mix, and the same one each time
//   node scripts/faults.mjs limits [--seconds 72]       imports into stores that admit 5, 20, 100 and 500 requests a second
//                                                       and say so only by refusing: how much of it is used from the
//                                                       twelfth second on, and a limit that falls and comes back
//
// After each kill the run is resumed until it ends. Then no key may be in the store twice, none may be lost, no more may be
// in doubt than were under way, the books must balance, and importing the file again must make nothing. In chaos just that
// must be in doubt whose answer was lost by the store's journal, and importing again makes just what the store rejected.
// In damage no create that the store had accepted may be carried out again. A command that refuses changes no file, says
// what to do, and shows no stack trace. Kinds of damage that cannot be detected are listed, but are no violations.
// Prints a table; exits with 1 where something is wrong, and says how to repeat it.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.faults', ['test/faults/main.ts']);
