/** A reading of some characters of a text: one character, or a surrogate pair. */
interface Read {
  readonly text: string;
  /** Index after it. */
  readonly end: number;
}

/** Reads one text, in which any characters may be escaped. */
export interface EscapeReader {
  /** Reads the next character in all ways: as it is, and as the escape that it begins. */
  readsAt(at: number): readonly Read[];
}

/** Escapes that may be within each other: those of JSON that is quoted in JSON, in a URL. */
const MAX_NESTING = 3;

/** True for text that may have an escape: percent-encoded, an HTML entity, or a backslash. */
export const MAY_ESCAPE = /%[0-9a-fu]|&(?:#|amp|lt|gt|quot|[a-z]{2,20}\d{0,2};)|\\/i;

/** True for a character that begins an escape: `%`, `&` and `\`. */
export function beginsEscape(character: string): boolean {
  return character === '%' || character === '&' || character === '\\';
}

/** The beginning of an escape where a text was cut off, or its last part. */
const CUT_ESCAPE = /(?:[%&\\][#0-9a-z%\\]{0,10})?(?=…|$)/iy;

/** Returns the index to which a text is cut off at this place, with the beginning of an escape; undefined if it continues. */
export function cutAt(text: string, at: number): number | undefined {
  CUT_ESCAPE.lastIndex = at;
  const found = CUT_ESCAPE.exec(text);
  return found ? at + found[0].length : undefined;
}

/** Makes a reader. It tries all kinds of escapes, since nobody knows if the text is JSON, a URL or a web page. */
export function createEscapeReader(text: string): EscapeReader {
  // Runs of backslashes would be read again and again.
  const known = new Map<number, readonly Read[]>();

  function readsWithin(at: number, nesting: number): readonly Read[] {
    const character = text.charAt(at);
    if (nesting === 0 || !beginsEscape(character)) return [{ text: character, end: at + 1 }];
    const key = at * (MAX_NESTING + 1) + nesting;
    const earlier = known.get(key);
    if (earlier) return earlier;
    const inner: Inner = (place) => readsWithin(place, nesting - 1);
    const before = inner(at);
    const found = [...before];
    for (const begin of before)
      for (const read of ESCAPES[begin.text]?.(begin.end, inner) ?? [])
        if (!found.some((other) => other.end === read.end && other.text === read.text)) found.push(read);
    known.set(key, found);
    return found;
  }

  return { readsAt: (at) => readsWithin(at, MAX_NESTING) };
}

/** Reads a character of an escape, which may itself be escaped. */
type Inner = (at: number) => readonly Read[];

/** Reads the rest of an escape by its first character. */
const ESCAPES: Readonly<Record<string, (at: number, inner: Inner) => readonly Read[]>> = {
  '%': (at, inner) => [...codeAt(at, inner, UNICODE), ...bytesAt(at, inner)],
  '&': (at, inner) => {
    const name = runAt(at, inner, /[a-z0-9]/i);
    if (name.text === '') return [...codeAt(at, inner, HEX_ENTITY), ...codeAt(at, inner, ENTITY)];
    const whole = partAt(name.end, inner, /;/);
    const letter = whole && ENTITIES.get(name.text);
    if (letter !== undefined) return [{ text: letter, end: whole?.end ?? name.end }];
    return UNCLOSED.filter((each) => name.text.startsWith(each)).map((each) => ({
      text: ENTITIES.get(each) ?? '',
      end: name.ends[each.length - 1] ?? name.end,
    }));
  },
  '\\': (at, inner) =>
    inner(at).flatMap(({ text, end }) => {
      if (text === 'u' || text === 'x') return codeAt(at, inner, text === 'u' ? UNICODE : BYTE);
      const letter = CONTROLS[text] ?? (/[^a-z0-9]/i.test(text) ? text : '');
      return letter === '' ? [] : [{ text: letter, end }];
    }),
};

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** A code between the first character of an escape and its end. */
interface CodeSyntax {
  readonly before: readonly RegExp[];
  readonly digit: RegExp;
  readonly radix: number;
  /** Number of digits; undefined for any. */
  readonly length?: number;
}

const HEX = { digit: /[0-9a-f]/i, radix: 16 } as const;
/** `u003d` after `\` or `%`. */
const UNICODE: CodeSyntax = { ...HEX, before: [/u/], length: 4 };
/** `x3d` after `\`. */
const BYTE: CodeSyntax = { ...HEX, before: [/x/], length: 2 };
/** `#x3d;` and `#61;` after `&`. */
const HEX_ENTITY: CodeSyntax = { ...HEX, before: [/#/, /x/i] };
const ENTITY: CodeSyntax = { before: [/#/], digit: /\d/, radix: 10 };

function codeAt(at: number, inner: Inner, { before, digit, radix, length }: CodeSyntax): readonly Read[] {
  let begin = at;
  for (const sign of before) {
    const read = partAt(begin, inner, sign);
    if (!read) return [];
    begin = read.end;
  }
  const digits = runAt(begin, inner, digit, length);
  if (digits.text === '' || digits.text.length < (length ?? 1)) return [];
  const end = length === undefined ? partAt(digits.end, inner, /;/)?.end : undefined;
  return characterOf(Number.parseInt(digits.text, radix), end ?? digits.end);
}

const CONTINUES = 0b10;

/** Bytes of UTF-8, or one of Latin-1, such as `3D`, `C3%A9` and `E9` after `%`. */
function bytesAt(at: number, inner: Inner): readonly Read[] {
  const first = runAt(at, inner, HEX.digit, 2);
  if (first.text.length < 2) return [];
  const byte = Number.parseInt(first.text, 16);
  const alone = characterOf(byte, first.end);
  if (byte < 0x80) return alone;
  const bytes = [byte];
  let { end } = first;
  const count = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
  while (bytes.length <= count) {
    const percent = partAt(end, inner, /%/);
    const next = percent && runAt(percent.end, inner, HEX.digit, 2);
    const value = Number.parseInt(next?.text ?? '', 16);
    if (next?.text.length !== 2 || value >> 6 !== CONTINUES) return alone;
    bytes.push(value);
    end = next.end;
  }
  return [...alone, { text: Buffer.from(bytes).toString(), end }];
}

function characterOf(code: number, end: number): readonly Read[] {
  return code <= 0x10ffff ? [{ text: String.fromCodePoint(code), end }] : [];
}

/** Reads a character of the syntax of an escape. Escaped in several ways, it is read as far as possible. */
function partAt(at: number, inner: Inner, part: RegExp): Read | undefined {
  let found: Read | undefined;
  for (const read of inner(at)) if (part.test(read.text) && read.end > (found?.end ?? 0)) found = read;
  return found;
}

/** Longest name of an entity, and digits enough for any character with leading zeros. */
const MAX_RUN = 32;

/** Reads several characters of the syntax of an escape. `ends`: after each of them. */
function runAt(
  at: number,
  inner: Inner,
  part: RegExp,
  most = MAX_RUN,
): Read & { readonly ends: readonly number[] } {
  let text = '';
  const ends: number[] = [];
  let end = at;
  while (text.length < most) {
    const read = partAt(end, inner, part);
    if (!read) break;
    text += read.text;
    end = read.end;
    ends.push(end);
  }
  return { text, end, ends };
}

/** Entities that browsers also read without `;`. */
const UNCLOSED = ['amp', 'lt', 'gt', 'quot', 'AMP', 'LT', 'GT', 'QUOT'];

const ASCII =
  '\tTab \nNewLine !excl "quot "QUOT #num $dollar %percnt &amp &AMP \'apos (lpar )rpar *ast *midast +plus ,comma .period /sol :colon ;semi <lt <LT =equals >gt >GT ?quest @commat [lsqb [lbrack \\bsol ]rsqb ]rbrack ^Hat _lowbar _UnderBar `grave `DiacriticalGrave {lcub {lbrace |verbar |vert |VerticalLine }rcub }rbrace';

/** Names of the characters from U+00A0 to U+00FF. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Named entities of ASCII and Latin-1, by name. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...ASCII.split(' ').map((each) => [each.slice(1), each.charAt(0)] as const),
  ...LATIN.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
]);
