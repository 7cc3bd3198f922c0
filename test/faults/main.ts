import { parseArgs } from 'node:util';
import { type ChaosResult, runChaos } from './chaos.ts';
import { printSeeds, type SeedResult } from './chaos-table.ts';
import { runDamages } from './damage/run.ts';
import { everyCall } from './every-call.ts';
import { printFleet } from './fleet/table.ts';
import type { CaseResult } from './kill-case.ts';
import { printLimits } from './limits-table.ts';
import { killPrunes } from './prune.ts';
import { randomKills, randomThreadEnds } from './random-kills.ts';
import { checkOrder, hasStrace } from './sync-order.ts';

// See scripts/faults.mjs for its usage.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    call: { type: 'string' },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '100000' },
    records: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '72' },
    seeds: { type: 'string', default: '1,2,3,4,5' },
    step: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    only: { type: 'string' },
    undamaged: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    stores: { type: 'string', default: '20' },
    workers: { type: 'string', default: '3' },
    every: { type: 'string', default: '3500' },
    'no-fence': { type: 'boolean', default: false },
  },
});

interface Totals {
  cases: number;
  kills: number;
  killsOfResume: number;
  threadEnds: number;
  made: number;
  inDoubt: number;
  bad: number;
}

const totals = new Map<string, Totals>();

function note(
  row: string,
  repeat: string,
  { kills, killsOfResume, threadEnds, made, inDoubt, found }: CaseResult,
): void {
  const none = { cases: 0, kills: 0, killsOfResume: 0, threadEnds: 0, made: 0, inDoubt: 0, bad: 0 };
  const sum = totals.get(row) ?? none;
  totals.set(row, sum);
  sum.cases += 1;
  sum.kills += kills;
  sum.killsOfResume += killsOfResume;
  sum.threadEnds += threadEnds;
  sum.made += made;
  sum.inDoubt += inDoubt;
  if (found.length === 0) return;
  sum.bad += 1;
  console.log(`${row}: node scripts/faults.mjs ${repeat}`);
  for (const problem of found.slice(0, 10)) console.log(`  ${problem}`);
}

function end(): void {
  console.log(
    '| killed | cases | kills | of these in resume | ended threads | records made | in doubt | with a violation |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [row, { cases, kills, killsOfResume, threadEnds, made, inDoubt, bad }] of totals)
    console.log(
      `| ${row} | ${cases} | ${kills} | ${killsOfResume} | ${threadEnds} | ${made} | ${inDoubt} | ${bad} |`,
    );
  process.exitCode = [...totals.values()].some(({ bad }) => bad > 0) ? 1 : 0;
}

/** Result of a case that could not be judged, such as one without reports. */
function brokenOff(error: Error): ChaosResult {
  return { faults: {}, outcomes: {}, stops: 0, ms: 0, found: [error.message] };
}

const [what] = positionals;
if (what === 'order') {
  if (hasStrace()) {
    const found = [...(await checkOrder(400, 8)), ...(await checkOrder(4000, 16))];
    for (const problem of found.slice(0, 20)) console.log(problem);
    process.exitCode = found.length > 0 ? 1 : 0;
  }
} else if (what === 'random' || what === 'threads') {
  const run = what === 'random' ? randomKills : randomThreadEnds;
  await run({
    runs: Number(values.runs),
    seed: Number(values.seed),
    // Enough for the threads that read and that fold.
    ...{ records: 5000, padding: 500 },
    concurrency: 16,
    onEnd: (seed, result) => note(`${what}`, `${what} --runs 1 --seed ${seed}`, result),
  });
  end();
} else if (what === 'every') {
  if (hasStrace()) {
    await everyCall({
      records: 30,
      concurrency: 4,
      call: values.call,
      from: Number(values.from),
      to: Number(values.to),
      onEnd: (who, call, k, result) =>
        note(`${who} at each ${call}`, `every --call ${call} --from ${k} --to ${k}`, result),
    });
    end();
  }
} else if (what === 'prune') {
  if (hasStrace()) {
    const sums = new Map<string, { kills: number; bad: number }>();
    await killPrunes({
      to: Number(values.to),
      step: Number(values.step),
      onEnd(call, k, found) {
        const { kills, bad } = sums.get(call) ?? { kills: 0, bad: 0 };
        sums.set(call, { kills: kills + 1, bad: found === undefined ? bad : bad + 1 });
        if (found !== undefined) console.log(`${call} ${k}: ${found}`);
      },
    });
    console.log('| killed before | kills | with a violation |\n|---|---|---|');
    for (const [call, { kills, bad }] of sums) console.log(`| ${call} | ${kills} | ${bad} |`);
    process.exitCode = [...sums.values()].some(({ bad }) => bad > 0) ? 1 : 0;
  }
} else if (what === 'chaos') {
  const records = Number(values.records);
  const results: SeedResult[] = [];
  for (const seed of values.seeds.split(',').map(Number)) {
    const result = await runChaos({ seed, records }).catch(brokenOff);
    results.push({ seed, result });
    if (result.found.length === 0) continue;
    process.exitCode = 1;
    console.log(`seed ${seed}: node scripts/faults.mjs chaos --records ${records} --seeds ${seed}`);
    for (const problem of result.found.slice(0, 10)) console.log(`  ${problem}`);
  }
  printSeeds(results);
} else if (what === 'limits') {
  await printLimits(Number(values.seconds));
} else if (what === 'damage') {
  const { count, seed, only, undamaged, keep, jobs } = values;
  const well = await runDamages({
    count: Number(count),
    seed: Number(seed),
    only: only === undefined ? undefined : Number(only),
    undamaged,
    keep,
    jobs: Number(jobs),
  });
  process.exitCode = well ? 0 : 1;
} else if (what === 'fleet') {
  const { seed, count, stores, workers, every, keep, 'no-fence': noFence } = values;
  const well = await printFleet({
    ...{ seed: Number(seed), count: Number(count), stores: Number(stores), workers: Number(workers) },
    ...{ records: 300, everyMs: Number(every), noFence, keep, say: (line) => console.error(line) },
  });
  process.exitCode = well ? 0 : 1;
} else {
  console.error(
    'What? order, random, threads, every, prune, damage, chaos, limits or fleet: see the head of scripts/faults.mjs.',
  );
  process.exitCode = 2;
}
