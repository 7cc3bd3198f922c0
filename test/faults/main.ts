import { parseArgs } from 'node:util';
import { everyCall } from './every-call.ts';
import type { CaseResult } from './kill-case.ts';
import { randomKills } from './random-kills.ts';
import { checkOrder, hasStrace } from './sync-order.ts';

// See scripts/faults.mjs for how it is called.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    call: { type: 'string' },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '100000' },
  },
});

interface Totals {
  cases: number;
  kills: number;
  killsOfResume: number;
  made: number;
  inDoubt: number;
  bad: number;
}

const totals = new Map<string, Totals>();

function note(row: string, repeat: string, { kills, killsOfResume, made, inDoubt, found }: CaseResult): void {
  const sum = totals.get(row) ?? { cases: 0, kills: 0, killsOfResume: 0, made: 0, inDoubt: 0, bad: 0 };
  totals.set(row, sum);
  sum.cases += 1;
  sum.kills += kills;
  sum.killsOfResume += killsOfResume;
  sum.made += made;
  sum.inDoubt += inDoubt;
  if (found.length === 0) return;
  sum.bad += 1;
  console.log(`${row}: node scripts/faults.mjs ${repeat}`);
  for (const problem of found.slice(0, 10)) console.log(`  ${problem}`);
}

function end(): void {
  console.log('| killed | cases | kills | of these in resume | records made | in doubt | with a violation |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [row, { cases, kills, killsOfResume, made, inDoubt, bad }] of totals)
    console.log(`| ${row} | ${cases} | ${kills} | ${killsOfResume} | ${made} | ${inDoubt} | ${bad} |`);
  process.exitCode = [...totals.values()].some(({ bad }) => bad > 0) ? 1 : 0;
}

const [what] = positionals;
if (what === 'order') {
  if (hasStrace()) {
    const found = [...(await checkOrder(400, 8)), ...(await checkOrder(2000, 16))];
    for (const problem of found.slice(0, 20)) console.log(problem);
    process.exitCode = found.length > 0 ? 1 : 0;
  }
} else if (what === 'random') {
  await randomKills({
    runs: Number(values.runs),
    seed: Number(values.seed),
    records: 2000,
    concurrency: 16,
    onEnd: (seed, result) => note('at random', `random --runs 1 --seed ${seed}`, result),
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
} else {
  console.error('What? order, random or every: see the head of scripts/faults.mjs.');
  process.exitCode = 2;
}
