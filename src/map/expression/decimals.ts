/**
 * 0.1 + 0.2 is 0.3: what decimals have beyond 15 digits is noise of reckoning. Whole numbers have none, and may be long
 * numbers of something.
 */
export function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
