import { followLimit, useLimit } from './limits.ts';

const CASES: readonly (readonly [limit: number, faults: readonly string[]])[] = [
  ...[5, 20, 100, 500].map((limit) => [limit, []] as const),
  [20, ['latency=50ms']],
  [100, ['retry-after=seconds']],
];

/** Measures and prints how well limits are found that show only in refusals. */
export async function printLimits(seconds: number): Promise<void> {
  console.log('| limit a second | store | used | refused |');
  console.log('|--:|---|--:|--:|');
  for (const [limit, faults] of CASES) {
    const { used, refused } = await useLimit(limit, seconds, faults);
    console.log(`| ${limit} | ${faults.join(' ')} | ${used.toFixed(3)} | ${(refused * 100).toFixed(2)} % |`);
  }
  const { admitted, refused } = await followLimit(25);
  console.log(`\n100, 10 and 100 a second for 25 seconds each, by seconds: admitted ${admitted.join(' ')}`);
  console.log(`refused ${refused.join(' ')}`);
}
