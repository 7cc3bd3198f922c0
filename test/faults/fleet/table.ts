import { type FleetFaultOptions, type FleetFaultResult, runFleetFaults } from './run.ts';

/** Runs the faults of a seed and prints the result. Returns true if all is as it must be. */
export async function printFleet(options: FleetFaultOptions): Promise<boolean> {
  const result = await runFleetFaults(options);
  const { seed, count, stores, workers, noFence } = options;
  for (const problem of result.found.slice(0, 40)) console.log(problem);
  if (result.found.length > 0)
    console.log(
      `${result.found.length} violations: node scripts/faults.mjs fleet --seed ${seed} --count ${count} --stores ${stores} --workers ${workers}`,
    );
  console.log(tableOf(result));
  return noFence ? result.doubles > 0 : result.found.length === 0;
}

function tableOf({
  faults,
  resumed,
  tasks,
  made,
  inDoubt,
  recoveryMs,
  doubles,
  ms,
}: FleetFaultResult): string {
  const all = Object.values(faults).reduce((sum, count) => sum + count, 0);
  const sorted = recoveryMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 100) / 10} s`;
  return [
    '| | |',
    '|---|---|',
    `| faults | ${all}: ${listed(faults)} |`,
    `| tasks | ${tasks} |`,
    `| records made | ${made} |`,
    `| in doubt at the end | ${inDoubt} |`,
    `| doubles | ${doubles} |`,
    `| resumed by the user, by reason | ${listed(resumed) || 'none'} |`,
    `| from a kill to the next request at the same store | ${sorted.length === 0 ? 'none' : `median ${at(0.5)}, 95 % ${at(0.95)}, most ${at(1)}, ${sorted.length} cases`} |`,
    `| time | ${Math.round(ms / 1000)} s |`,
  ].join('\n');
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
