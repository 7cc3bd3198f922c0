/**
 * Rounds decimals to 15 digits, since the digits beyond are floating-point noise: 0.1 + 0.2 becomes 0.3. Integers have
 * no such noise and may be long identifiers, so they are unchanged.
 */
export function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/** The exact product of two numbers as plain decimal text: 1999 times 0.01 is `19.99`, not 19.990000000000002. */
export function exactProduct(a: number, b: number): string {
  const [first, second] = [decimalOf(a), decimalOf(b)];
  const digits = first.digits * second.digits;
  const scale = first.scale + second.scale;
  if (scale <= 0) return String(digits * 10n ** BigInt(-scale));
  const [sign, bare] = digits < 0n ? ['-', String(-digits)] : ['', String(digits)];
  const padded = bare.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** `12.5` is 125 with 1 digit after the point; `1e-7` is 1 with 7. */
function decimalOf(value: number): { readonly digits: bigint; readonly scale: number } {
  const [plain = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = plain.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}
