import { squeezed } from '../one-line.ts';

/** Shorter secrets would hide ordinary words, so they are replaced only as a value: `name=value`. */
export const SHORTEST_ANYWHERE = 4;

/** The ways to write a secret, each once: plain, in a URL, inside JSON text or HTML, and as base64. */
export function formsOf(secret: string): string[] {
  const forms = [...new Set([...textFormsOf(secret), ...base64Forms(secret)])];
  // A secret that is mostly blanks may be squeezed to one letter, which would be hidden in every word.
  return forms.filter((form) => form.length >= SHORTEST_ANYWHERE);
}

/** All forms but base64, whose pieces of short secrets might be ordinary words. */
export function textFormsOf(secret: string): string[] {
  // Messages of the store are shown in one line.
  const plain = [secret, wellFormed(secret), squeezed(secret)];
  // A text that contains the secret may itself be quoted in JSON, or be part of another URL.
  const json = plain.flatMap(jsonForms);
  const urls = urlForms(secret);
  const all = [...plain, ...json, ...json.map(jsonForm), ...htmlForms(secret), ...urls, ...urls.map(percent)];
  return [...new Set(all)].filter((form) => form !== '');
}

function jsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Some languages also escape slashes, or all that is not ASCII, in either case of hex digits. */
function jsonForms(text: string): string[] {
  const json = jsonForm(text);
  const hex = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const upperHex = (character: string) => `\\u${hex(character).slice(2).toUpperCase()}`;
  const forms = [
    json,
    json.replace(/[\u007f-\uffff]/g, hex),
    json.replace(/[\u007f-\uffff]/g, upperHex),
    json.replace(/[\u007f-\uffff<>&']/g, hex),
    json.replace(/[\u007f-\uffff<>&']/g, upperHex),
  ];
  return [...forms, ...forms.map((form) => form.replaceAll('/', '\\/'))];
}

/** Either case of hex digits, `+` for a space; URLSearchParams encodes more characters than encodeURIComponent does. */
function urlForms(secret: string): string[] {
  const encoded = percent(secret);
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  return [encoded, lowerHex(encoded), encoded.replaceAll('%20', '+'), form, lowerHex(form)];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const APOSTROPHES: readonly string[] = ["'", '&#39;', '&#x27;', '&#039;', '&apos;'];

/** The secret as a web page repeats it. */
function htmlForms(secret: string): string[] {
  const form = secret.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
  return APOSTROPHES.map((apostrophe) => form.replaceAll("'", apostrophe));
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

function percent(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** encodeURIComponent throws for half a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}
