/** Measures a fleet on this machine. See scripts/bench-fleet.mjs for its usage. */
import { parseArgs } from 'node:util';
import { measureMemory } from './memory.ts';
import { measureNightly } from './nightly.ts';
import { measureRate } from './rate.ts';
import { measureRecovery } from './recovery.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    stores: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '1' },
    reviews: { type: 'string', default: '100' },
    kills: { type: 'string', default: '5' },
  },
});

const [what] = positionals;
if (what === 'rate') await measureRate(Number(values.rows ?? 100_000), Number(values.rounds));
else if (what === 'memory') await measureMemory(Number(values.rows ?? 10_000));
else if (what === 'nightly')
  await measureNightly(Number(values.stores), Number(values.workers), Number(values.reviews));
else if (what === 'recovery') await measureRecovery(Number(values.kills));
else {
  console.error('What? rate, memory, nightly or recovery: see the head of scripts/bench-fleet.mjs.');
  process.exitCode = 2;
}
