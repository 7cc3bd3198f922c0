import { isAscii, isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { ConfigError, MistypedError, ownValue, RunStopped } from '../../model/index.ts';
import { type Bytes, CHUNK_BYTES, type Head, readHead, wholeCharacters } from './bytes.ts';

/** The text encoding of a file. */
export interface Encoding {
  readonly name: string;
  /** True if detected from the text, not from a byte order mark or an option: it may be wrong. */
  readonly guessed: boolean;
  /** Another encoding that fits nearly as well. */
  readonly rival?: string;
  /** True while all bytes so far are ASCII: a letter further down may show another encoding than UTF-8. */
  readonly undecided?: true;
}

export interface Decoded {
  /**
   * UTF-8, including a byte order mark. Bytes that the encoding cannot decode are replaced by a byte that is invalid in
   * UTF-8.
   */
  readonly input: Bytes;
  /** The encoding as far as it is known: a file may contain ASCII for megabytes before its first other letter. */
  encoding(): Encoding;
  /** To be called when the encoding so far is used. If it changes from then on, there is a warning. */
  opened(): void;
}

/** Decodes a stream, and keeps the incomplete character at the end of a chunk. */
interface TextDecoder {
  write(bytes: Buffer): string;
  end(): string;
}

const UTF8 = 'UTF-8';
const UNREADABLE = Buffer.from([0xff]);
/** Bytes examined to detect UTF-16 without a byte order mark. */
const HEAD_BYTES = 512;
/** Bytes from the first non-ASCII letter on that are enough to confirm UTF-8. */
const WINDOW_BYTES = 256;

/** ASCII bytes kept before the first non-ASCII letter: the beginning of the word that it ends. */
const CONTEXT_BYTES = 8;

const MARKS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  [UTF8, 0xef, 0xbb, 0xbf],
  ['UTF-32LE', 0xff, 0xfe, 0, 0],
  ['UTF-32BE', 0, 0, 0xfe, 0xff],
  ['UTF-16LE', 0xff, 0xfe],
  ['UTF-16BE', 0xfe, 0xff],
];

/** Names that mean another encoding to users than to iconv-lite. */
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
/** Encodings that tables are written in. */
const EXAMPLES = [
  ...['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-15', 'macintosh', 'cp850', 'shift_jis'],
  ...['gb18030', 'big5', 'koi8-r'],
];

/** Encodings of iconv-lite in which no text file is written. */
const NO_ENCODINGS: ReadonlySet<string> = new Set(['base64', 'hex', 'binary', 'utf7', 'utf7imap']);

export interface DecodeOptions {
  /** Undefined: detected. */
  readonly encoding: string | undefined;
  /** Called if the first letter that is not ASCII is further down, and shows another encoding than was announced. */
  readonly onWarning: (message: string) => void;
  /** Counts the lines up to a byte, from 1; undefined if the bytes cannot be read again. */
  readonly lineAt?: ((byte: number) => Promise<number>) | undefined;
}

/**
 * Decodes any encoding to UTF-8: the named one, or the one that is detected. Throws ConfigError if the name is unknown.
 */
export async function decode(
  file: string,
  bytes: Bytes,
  { encoding: named, ...options }: DecodeOptions,
): Promise<Decoded> {
  const { head, input } = await readHead(bytes, HEAD_BYTES);
  const name = named === undefined ? (byMark(head) ?? byNuls(head)) : await meantBy(named, head);
  if (name === undefined) return detectLater(file, input, options);
  const encoding = { name, guessed: false };
  return {
    input: name === UTF8 ? input : recode(input, await decoderFor(name), isUtf16(name)),
    encoding: () => encoding,
    opened() {},
  };
}

function byMark(head: Buffer): string | undefined {
  return MARKS.find(([, ...mark]) => mark.every((byte, at) => head[at] === byte))?.[0];
}

/** Detects UTF-16 by NULs: every ASCII letter, and so every delimiter and line end, has a NUL on one side. */
function byNuls(head: Buffer): string | undefined {
  const nuls = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2]!++;
  const [even = 0, odd = 0] = nuls;
  const enough = Math.max(2, head.length / 40);
  if (odd >= enough && odd > even * 4) return 'UTF-16LE';
  return even >= enough && even > odd * 4 ? 'UTF-16BE' : undefined;
}

/** Throws ConfigError for a name of an encoding that nobody knows. */
export async function refuseUnknownEncoding(named: string): Promise<void> {
  await meantBy(named, Buffer.alloc(0));
}

async function meantBy(named: string, head: Buffer): Promise<string> {
  const key = named.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (key === 'utf16') return byMark(head) ?? byNuls(head) ?? 'UTF-16LE';
  const meant = ownValue(MEANT, key);
  if (meant !== undefined) return meant;
  const { default: iconv } = await import('iconv-lite');
  if (!NO_ENCODINGS.has(key) && iconv.encodingExists(named)) return named;
  throw new MistypedError(
    `--encoding "${named}" is not known.`,
    [`Names are for example ${EXAMPLES.slice(0, -1).join(', ')} or ${EXAMPLES.at(-1)}.`],
    { word: named, names: () => EXAMPLES },
  );
}

/**
 * Passes ASCII on unchanged, since all encodings without a byte order mark share it. Detects the encoding at the first
 * other byte.
 */
function detectLater(
  file: string,
  input: Bytes,
  { onWarning, lineAt }: Omit<DecodeOptions, 'encoding'>,
): Decoded {
  const utf8: Encoding = { name: UTF8, guessed: false };
  let encoding: Encoding = { ...utf8, undecided: true };
  let passedOn = 0;
  /** True if the caller uses UTF-8 as the encoding. */
  let isOpened = false;

  async function* detecting(): Bytes {
    let before: Buffer = Buffer.alloc(0);
    for (;;) {
      const next = await input.next();
      if (next.done === true) {
        encoding = utf8;
        return;
      }
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

  /** `context` is the text before, which shows the word that the first letter belongs to. */
  async function* rest(window: Head, context: Buffer): Bytes {
    if (isUtf8(window.ended ? window.head : wholeCharacters(window.head))) {
      encoding = utf8;
      return yield* window.input;
    }
    const { head, input } = await readHead(window.input, CHUNK_BYTES);
    // Imported lazily: few files need its tables of letters.
    const { guessEncoding } = await import('./guess-encoding.ts');
    const guess = await guessEncoding(head, context);
    if (guess === undefined) throw unknown(file, passedOn >= CHUNK_BYTES);
    const { name, rival } = guess;
    encoding = { ...guess, guessed: name !== UTF8 };
    if (name !== UTF8 && isOpened) {
      // The file may be gone by now. The number is a help, and the byte says the same.
      const line = await lineAt?.(passedOn).catch(() => undefined);
      const from = line === undefined ? `its byte ${passedOn}` : `line ${line} (byte ${passedOn})`;
      onWarning(
        `${file} is read as ${name} from ${from} on, where its first letter beyond ASCII is${rival === undefined ? '' : `, and may be ${rival}`}: if letters are wrong, set the right encoding with --encoding.`,
      );
    }
    yield* name === UTF8 ? input : recode(input, await decoderFor(name), false);
  }

  return {
    input: detecting(),
    encoding: () => encoding,
    opened() {
      isOpened = true;
    },
  };
}

function unknown(file: string, begun: boolean): Error {
  const message = `${file} is not UTF-8, and its text does not show which encoding it has.`;
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

/** Wraps Node's decoder, which keeps incomplete characters. Swaps the byte order for big-endian text before. */
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
    // Half a unit is not a letter. A lone surrogate represents it, since that is not a letter either.
    end: () => decoder.end() + (odd.length > 0 ? '\uD800' : ''),
  };
}

async function* recode(input: Bytes, decoder: TextDecoder, utf16: boolean): Bytes {
  // iconv-lite marks unreadable bytes with U+FFFD. UTF-16 text may contain that mark itself, but no lone surrogate.
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
