import { squeezed } from '../one-line.ts';

/** Shorter secrets would hide ordinary words, so they are replaced only as a value: `name=value`. */
export const SHORTEST_ANYWHERE = 4;

/** The ways to write a secret whose characters may be escaped besides: plain, and as base64. */
export function formsOf(secret: string): string[] {
  const forms = [...plainForms(secret), ...base64Forms(secret)];
  // A secret that is mostly blanks may be squeezed to one letter, which would be hidden in every word.
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_ANYWHERE);
}

/** The secret as it is, and as messages of the store show it, in one line. */
export function plainForms(secret: string): string[] {
  const forms = [secret, wellFormed(secret), squeezed(secret)];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** The secret in hex digits, in small letters. */
export function hexForm(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

/** Shorter pieces of base64 might be ordinary words. */
const SHORTEST_BASE64 = 8;

/**
 * Base64 encodes three bytes at a time, so text before the secret (a user name, in a header) shifts it in one of three
 * ways. Digits at its ends depend on its neighbours; those between depend on the secret alone.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const bits = 8 * (shift + bytes.length);
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const own = text.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    const url = own.replaceAll('+', '-').replaceAll('/', '_');
    return own.length < SHORTEST_BASE64 ? [] : [own, url];
  });
}

/** Half of a surrogate pair becomes a replacement character in bytes. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
