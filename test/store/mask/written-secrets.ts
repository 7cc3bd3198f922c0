/** Ways in which programs write characters. Independent of the code of the mask. */

type Write = (text: string) => string;

const units = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
const percent: Write = (text) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
const small: Write = (text) => text.toLowerCase();
const decimal: Write = (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join('');
const zeros: Write = (text) => decimal(text).replaceAll('&#', '&#000');
const hexEntity: Write = (text) =>
  [...text].map((letter) => `&#x${(letter.codePointAt(0) ?? 0).toString(16)};`).join('');
const unicode: Write = (text) =>
  units(text)
    .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
    .join('');
const json: Write = (text) => JSON.stringify(text).slice(1, -1);

const NAMES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '=': '&equals;', '+': '&plus;' },
  ...{ '%': '&percnt;', '/': '&sol;', '\\': '&bsol;', '.': '&period;', _: '&lowbar;', ';': '&semi;' },
  ...{ '#': '&num;', ü: '&uuml;', é: '&eacute;' },
};
const named: Write = (text) => NAMES[text] ?? decimal(text);
const upperEntity: Write = (text) => hexEntity(text).toUpperCase();

/** Ways for one character, whatever is beside it. `plain` is for characters that no decoder reads as a part of an escape. */
export const CHARACTER_WAYS: Readonly<Record<string, Write>> = {
  plain: (text) => (/[\\%&#;]/.test(text) ? percent(text) : text),
  'percent-encoded': percent,
  'percent-encoded in small digits': (text) => small(percent(text)),
  'percent-encoded twice': (text) => percent(text).replaceAll('%', '%25'),
  'percent-encoded three times': (text) => percent(text).replaceAll('%', '%2525'),
  'a decimal entity': decimal,
  'a decimal entity with zeros': zeros,
  'a hex entity': hexEntity,
  'a hex entity in capitals': upperEntity,
  'a named entity': named,
  'escaped in JSON': unicode,
  'escaped in JSON in capitals': (text) =>
    unicode(text).replace(/[a-f](?=[0-9a-f]*)/g, (digit) => digit.toUpperCase()),
  'escaped in JSON that is quoted in JSON': (text) => json(unicode(text)),
  'an entity in a URL': (text) => encodeURIComponent(hexEntity(text)),
  'an entity on a page that shows code': (text) => decimal(text).replaceAll('&', '&amp;'),
  'an entity in JSON': (text) => decimal(text).replaceAll('&', '\\u0026'),
  'JSON in a URL': (text) => encodeURIComponent(unicode(text)),
  'JSON on a page': (text) => decimal(unicode(text)),
  'a URL on a page': (text) => decimal(percent(text)),
  'a page in JSON in a URL': (text) => encodeURIComponent(unicode(hexEntity(text))),
};

/** Ways for a whole text. */
export const WHOLE_WAYS: Readonly<Record<string, Write>> = {
  'in small hex digits': (text) => Buffer.from(text).toString('hex'),
  'in capital hex digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in mixed hex digits': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replace(/[a-f]/g, (digit, index) => (index % 3 ? digit : digit.toUpperCase())),
  'in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'in a form, as base64': (text) =>
    encodeURIComponent(Buffer.from(text).toString('base64').replace(/=+$/, '')),
};

const DECODERS: readonly Write[] = [
  (text) =>
    text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
  (text) =>
    text.replace(/&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi, (whole, hex, digits) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(digits);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    }),
  (text) => Object.entries(NAMES).reduce((left, [letter, name]) => left.replaceAll(name, letter), text),
  (text) => text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/\\(["\\/])/g, '$1'),
];

/** The text, and all that decoders make of it, one after another. */
export function undone(text: string, depth = 3): ReadonlySet<string> {
  const all = new Set([text]);
  let last = [text];
  for (let step = 0; step < depth; step++) {
    last = last.flatMap((each) => DECODERS.map((decode) => decode(each))).filter((each) => !all.has(each));
    for (const each of last) all.add(each);
  }
  return all;
}
