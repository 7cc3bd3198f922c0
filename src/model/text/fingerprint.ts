/**
 * Hashes a text to 64 bits, as two words: two independent multiply-and-rotate lanes over its UTF-16 units, each mixed
 * at the end. Distinguishes texts; not cryptographic.
 */
export function fingerprint(text: string): [number, number] {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b + unit, 0x1b873593);
    b = (b << 13) | (b >>> 19);
  }
  return [mix(a ^ text.length), mix(b ^ Math.imul(text.length, 0x27d4eb2f))];
}

function mix(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
