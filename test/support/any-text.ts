import fc from 'fast-check';

/** Number of surrogates: code points that are no characters. */
const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/**
 * Any character of Unicode, as the unit `binary` of fast-check. That one makes a table of all million characters in each process,
 * which takes 1.5 seconds and 100 MB.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (value) => {
    const character = String(value);
    const point = character.codePointAt(0) ?? -1;
    const isSurrogate = point >= FIRST_SURROGATE && point < FIRST_SURROGATE + SURROGATES;
    if (point < 0 || isSurrogate || character !== String.fromCodePoint(point))
      throw new Error('not one character');
    return point < FIRST_SURROGATE ? point : point - SURROGATES;
  },
);

/** Text of any characters. */
export function anyText(lengths: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: anyCharacter });
}
