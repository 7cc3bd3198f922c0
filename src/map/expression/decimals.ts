/**
 * Rounds decimals to 15 digits, since the digits beyond are floating-point noise: 0.1 + 0.2 becomes 0.3. Integers have
 * no such noise and may be long identifiers, so they are unchanged.
 */
export function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
