// Tests the guarantees of the ledger by the store's own journal, with the built command and the sandbox. Not part of the
// tests, since it takes minutes. Its short form is in test/cli/recovery/: crash-recovery, all-faults, sync-order,
// disk-faults, prune-faults and damaged-home; that of `fleet` in test/fleet/faults/.
//
//   node scripts/faults.mjs order                       each create is written to its socket after its intent was
//                                                       synced to disk, by the system calls that strace sees
//   node scripts/faults.mjs random [--runs 200] [--seed 1]
//                                                       imports of 5,000 records, killed at random moments, and many
//                                                       of the processes that resume them
//   node scripts/faults.mjs threads [--runs 200] [--seed 1]
//                                                       the same imports, in which the thread that reads or the one that
//                                                       folds ends by itself at a random moment
//   node scripts/faults.mjs every [--call pwrite64 --from 1 --to 20]
//                                                       an import of 30 records, killed before each single write, sync,
//                                                       removal and renaming, also by SQLite; the same for a resume
//   node scripts/faults.mjs prune [--step 1 --to 100000]
//                                                       a prune, killed before each single write, sync, removal and
//                                                       renaming; --step 10: before every tenth
//   node scripts/faults.mjs damage [--count 200 --seed 1 --jobs 2] [--only 17 --keep --undamaged]
//                                                       random damage to homes whose imports were killed, then list,
//                                                       resume, retry and the same import in random order. --only: run
//                                                       one case by its seed; --keep: keep its folder; --undamaged:
//                                                       damage nothing, so that nothing may be refused
//   node scripts/faults.mjs chaos [--records 20000 --seeds 1,2,3,4,5]
//                                                       an import into a store with all faults at once: refusals, errors
//                                                       in bursts, lost and damaged answers, silence, an outage, expiring
//                                                       tokens. Each seed is another mix, and the same one each time
//   node scripts/faults.mjs limits [--seconds 72]       imports into stores that admit 5, 20, 100 and 500 requests a second
//                                                       and show it only by refusals: the share that is used from the
//                                                       twelfth second on, and a limit that falls and rises again
//   node scripts/faults.mjs fleet [--count 200 --seed 1 --stores 20 --workers 3 --every 3500] [--keep] [--no-fence]
//                                                       imports and exports of many stores by workers of a fleet, with a
//                                                       server of Postgres of its own: workers are killed, and paused for
//                                                       longer than their lease, anywhere and before a create; connections
//                                                       are cut; the server is killed and frozen. --every: mean time from
//                                                       one fault to the next, in ms. --keep: keep the logs. --no-fence:
//                                                       without the fence of the lease, which must lead to doubles
//
// After each kill the run is resumed until it ends. Then no key may be in the store twice, none may be lost, no more may be
// in doubt than were in flight, the numbers must add up, and importing the file again must create nothing. In chaos exactly
// the records with a lost answer must be in doubt, and importing again creates exactly those that the store rejected.
// In damage no create that the store had accepted may be carried out again. A command that refuses changes no file, says
// what to do, and shows no stack trace. Kinds of damage that cannot be detected are listed, but are no violations.
// In fleet nothing may be created twice, each record has one outcome, the totals balance, a fault leaves at most the records in
// flight to a store in doubt, and a worker that lost its lease sends at most what it had noted. Tasks that stop are resumed, and
// at the end everything is imported once more.
// Prints a table; exits with 1 if there is a violation, and prints how to repeat it.
import { runTestProgram } from './test-program.mjs';

await runTestProgram('.faults', ['test/faults/main.ts']);
