import { isAscii, isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { ConfigError, RunStopped } from '../../model/index.ts';
import { type Bytes, CHUNK_BYTES, type Head, readHead } from './bytes.ts';
import { wholeCharacters } from './utf8.ts';

/** What the bytes of a file are letters in. */
export interface Encoding {
  readonly name: string;
  /** Told from the text itself, not by a mark or by the user: it may be wrong. */
  readonly guessed: boolean;
  /** Another encoding that fits nearly as well. */
  readonly rival?: string;
}

export interface Decoded {
  /** UTF-8, byte order mark and all. What the encoding does not have comes as a byte that UTF-8 does not have. */
  readonly input: Bytes;
  /** As far as it is known: a file may hold ASCII for megabytes before its first other letter. */
  encoding(): Encoding;
}

/** Text and whatever it ends on in the midst of. */
interface TextDecoder {
  write(bytes: Buffer): string;
  end(): string;
}

const UTF8 = 'UTF-8';
const UNREADABLE = Buffer.from([0xff]);
/** Looked at for UTF-16 without a mark. */
const HEAD_BYTES = 512;
/** From the first letter that is not ASCII on: enough to believe in UTF-8. */
const WINDOW_BYTES = 256;

/** Of a word that ends in a letter that is not ASCII. */
const CONTEXT_BYTES = 8;

const MARKS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  [UTF8, 0xef, 0xbb, 0xbf],
  ['UTF-32LE', 0xff, 0xfe, 0, 0],
  ['UTF-32BE', 0, 0, 0xfe, 0xff],
  ['UTF-16LE', 0xff, 0xfe],
  ['UTF-16BE', 0xfe, 0xff],
];

/** Names by which other things are meant than iconv-lite would take them for. */
const MEANT: Readonly<Record<string, string>> = {
  utf8: UTF8,
  ascii: UTF8,
  usascii: UTF8,
  utf16le: 'UTF-16LE',
  ucs2: 'UTF-16LE',
  utf16be: 'UTF-16BE',
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
};
/** What iconv-lite knows besides and no text is written in. */
const NO_ENCODINGS: ReadonlySet<string> = new Set(['base64', 'hex', 'binary', 'utf7', 'utf7imap']);

/** Any encoding to UTF-8: by the name that is given, else by what the bytes show. Throws ConfigError for an unknown one. */
export async function decode(
  file: string,
  bytes: Bytes,
  named: string | undefined,
  onWarning: (message: string) => void,
): Promise<Decoded> {
  const { head, input } = await readHead(bytes, HEAD_BYTES);
  const name = named === undefined ? (byMark(head) ?? byNuls(head)) : await meantBy(named, head);
  if (name === undefined) return detectLater(file, input, onWarning);
  const encoding = { name, guessed: false };
  return {
    input: name === UTF8 ? input : recode(input, await decoderFor(name), isUtf16(name)),
    encoding: () => encoding,
  };
}

function byMark(head: Buffer): string | undefined {
  return MARKS.find(([, ...mark]) => mark.every((byte, at) => head[at] === byte))?.[0];
}

/** In UTF-16 every letter of ASCII, and so every delimiter and line end, has a NUL on one side of it. */
function byNuls(head: Buffer): string | undefined {
  const nuls = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2]!++;
  const [even = 0, odd = 0] = nuls;
  const enough = Math.max(2, head.length / 40);
  if (odd >= enough && odd > even * 4) return 'UTF-16LE';
  return even >= enough && even > odd * 4 ? 'UTF-16BE' : undefined;
}

async function meantBy(named: string, head: Buffer): Promise<string> {
  const key = named.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (key === 'utf16') return byMark(head) ?? byNuls(head) ?? 'UTF-16LE';
  const meant = MEANT[key];
  if (meant !== undefined) return meant;
  const { default: iconv } = await import('iconv-lite');
  if (!NO_ENCODINGS.has(key) && iconv.encodingExists(named)) return named;
  throw new ConfigError(`--encoding "${named}" is not known.`, [
    'Names are for example utf-8, utf-16le, windows-1252, iso-8859-15, macintosh, cp850, shift_jis, gb18030, big5 or koi8-r.',
  ]);
}

/** Passes ASCII on as it is, which it is in all encodings that come without a mark, and decides by what comes then. */
function detectLater(file: string, input: Bytes, onWarning: (message: string) => void): Decoded {
  let encoding: Encoding = { name: UTF8, guessed: false };
  let passedOn = 0;
  /** Somebody was told that it is UTF-8. */
  let isTold = false;

  async function* detecting(): Bytes {
    let before: Buffer = Buffer.alloc(0);
    for (;;) {
      const next = await input.next();
      if (next.done === true) return;
      if (isAscii(next.value)) {
        passedOn += next.value.length;
        before = Buffer.from(next.value.subarray(-CONTEXT_BYTES));
        yield next.value;
        continue;
      }
      const at = next.value.findIndex((byte) => byte > 127);
      passedOn += at;
      const context = at > 0 ? Buffer.from(next.value.subarray(Math.max(0, at - CONTEXT_BYTES), at)) : before;
      if (at > 0) yield next.value.subarray(0, at);
      return yield* rest(await readHead(prepend(next.value.subarray(at), input), WINDOW_BYTES), context);
    }
  }

  /** `context`: the letters before it, which tell of which word its first letter is. */
  async function* rest(window: Head, context: Buffer): Bytes {
    if (isUtf8(window.ended ? window.head : wholeCharacters(window.head))) return yield* window.input;
    const { head, input } = await readHead(window.input, CHUNK_BYTES);
    // Its tables of letters are for the few files that need them.
    const { guessEncoding } = await import('./guess-encoding.ts');
    const guess = await guessEncoding(head, context);
    if (guess === undefined) throw unknown(file, passedOn >= CHUNK_BYTES);
    const { name, rival } = guess;
    encoding = { ...guess, guessed: name !== UTF8 };
    if (name !== UTF8 && isTold)
      onWarning(
        `${file} is read as ${name} from its byte ${passedOn} on${rival === undefined ? '' : `, and may be ${rival}`}: --encoding tells better.`,
      );
    yield* name === UTF8 ? input : recode(input, await decoderFor(name), false);
  }

  return {
    input: detecting(),
    encoding() {
      isTold = true;
      return encoding;
    },
  };
}

function unknown(file: string, begun: boolean): Error {
  const message = `${file} is not UTF-8, and what else it may be cannot be told from its text.`;
  const hints = [
    'Name its encoding with --encoding, for example windows-1252, windows-1251, shift_jis or gb18030.',
    'Or open it in a spreadsheet and save it as "CSV UTF-8".',
  ];
  return begun ? new RunStopped('source-failed', message, hints) : new ConfigError(message, hints);
}

async function* prepend(first: Buffer, rest: Bytes): Bytes {
  yield first;
  yield* rest;
}

function isUtf16(name: string): boolean {
  return name.startsWith('UTF-16');
}

async function decoderFor(name: string): Promise<TextDecoder> {
  if (isUtf16(name)) return utf16Decoder(name === 'UTF-16BE');
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(name, { stripBOM: false });
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? '' };
}

/** Node's own, which keeps what is cut in two; the byte order is turned before. */
function utf16Decoder(bigEndian: boolean): TextDecoder {
  const decoder = new StringDecoder('utf16le');
  let odd: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = Buffer.concat([odd, bytes]);
      const even = all.length - (all.length % 2);
      odd = all.subarray(even);
      const units = all.subarray(0, even);
      return decoder.write(bigEndian ? units.swap16() : units);
    },
    // Half a unit is no letter: half a pair stands for it, which is none either.
    end: () => decoder.end() + (odd.length > 0 ? '\uD800' : ''),
  };
}

async function* recode(input: Bytes, decoder: TextDecoder, utf16: boolean): Bytes {
  // iconv-lite marks what it cannot read; UTF-16 can hold that mark itself, but half a pair of units is no letter.
  const bad = utf16 ? /[\uD800-\uDFFF]/u : /\uFFFD/;
  for await (const chunk of input) {
    const text = decoder.write(chunk);
    if (text !== '') yield encode(text, bad);
  }
  const last = decoder.end();
  if (last !== '') yield encode(last, bad);
}

function encode(text: string, bad: RegExp): Buffer {
  const parts = text.split(bad);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [Buffer.from(part)] : [UNREADABLE, Buffer.from(part)])),
  );
}
