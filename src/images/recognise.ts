/** The kind of file that bytes begin. `isImage` is false for kinds that are no image for certain. */
export interface RecognisedKind {
  readonly isImage: boolean;
  /** Completes "it is …". */
  readonly name: string;
}

/** Bytes by which every kind is recognised. Drawings (SVG) may begin with comments. */
export const BYTES_TO_RECOGNISE = 4096;

/** Bytes at the beginning of a file, as Latin-1. */
interface Signature {
  readonly name: string;
  readonly bytes: string;
  readonly at?: number;
  /** Other bytes that must be there as well. */
  readonly and?: { readonly bytes: string; readonly at: number };
}

const IMAGES: readonly Signature[] = [
  { name: 'JPEG', bytes: '\xff\xd8\xff' },
  { name: 'PNG', bytes: '\x89PNG\r\n\x1a\n' },
  { name: 'GIF', bytes: 'GIF87a' },
  { name: 'GIF', bytes: 'GIF89a' },
  { name: 'WebP', bytes: 'RIFF', and: { bytes: 'WEBP', at: 8 } },
  // Two reserved fields are 0.
  { name: 'BMP', bytes: 'BM', and: { bytes: '\0\0\0\0', at: 6 } },
  { name: 'TIFF', bytes: 'II*\0' },
  { name: 'TIFF', bytes: 'MM\0*' },
  { name: 'icon', bytes: '\0\0\x01\0' },
  { name: 'JPEG XL', bytes: '\xff\x0a' },
  { name: 'JPEG XL', bytes: '\0\0\0\x0cJXL ' },
  { name: 'JPEG 2000', bytes: '\0\0\0\x0cjP  ' },
];

const OTHERS: readonly Signature[] = [
  { name: 'a PDF document', bytes: '%PDF-' },
  { name: 'a zip file', bytes: 'PK\x03\x04' },
  { name: 'a compressed file', bytes: '\x1f\x8b' },
  { name: 'a video', bytes: '\x1aE\xdf\xa3' },
];

/** Brands of the container that images share with videos. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'AVIF',
  avis: 'AVIF',
  heic: 'HEIC',
  heix: 'HEIC',
  heim: 'HEIC',
  heis: 'HEIC',
  hevc: 'HEIC',
  hevx: 'HEIC',
  mif1: 'HEIF',
  msf1: 'HEIF',
};

/** First words of a page, in lower case. */
const PAGE_TAGS = [
  '<!doctype html',
  '<html',
  '<head',
  '<body',
  '<title',
  '<meta',
  '<script',
  '<div',
  '<p>',
  '<h1',
];

/** Recognises a file by its first bytes, up to `BYTES_TO_RECOGNISE`. Undefined if they are those of no known kind. */
export function recognise(bytes: Buffer): RecognisedKind | undefined {
  if (bytes.length === 0) return { isImage: false, name: 'empty' };
  const start = bytes.toString('latin1');
  const image = IMAGES.find((signature) => fits(start, signature))?.name ?? containerKind(start);
  if (image !== undefined) return { isImage: image !== VIDEO, name: image };
  const other = OTHERS.find((signature) => fits(start, signature));
  return other ? { isImage: false, name: other.name } : textKind(bytes);
}

function fits(start: string, { bytes, at = 0, and }: Signature): boolean {
  return start.startsWith(bytes, at) && (and === undefined || start.startsWith(and.bytes, and.at));
}

const VIDEO = 'a video';

function containerKind(start: string): string | undefined {
  if (!start.startsWith('ftyp', 4)) return undefined;
  const length = Math.min(start.charCodeAt(2) * 256 + start.charCodeAt(3), start.length, 128);
  // The main brand, a version, and the brands that the file also fits.
  const brands = [start.slice(8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(start.slice(at, at + 4));
  const known = brands.find((brand) => Object.hasOwn(BRANDS, brand));
  return known === undefined ? VIDEO : BRANDS[known];
}

function textKind(bytes: Buffer): RecognisedKind | undefined {
  const text = textIn(bytes);
  if (text === undefined) return undefined;
  const start = withoutProlog(text).toLowerCase();
  if (/^<(?:\w+:)?svg[\s>/]/.test(start)) return { isImage: true, name: 'SVG' };
  if (PAGE_TAGS.some((tag) => start.startsWith(tag))) return { isImage: false, name: 'an HTML page' };
  if (start.startsWith('<')) return { isImage: false, name: 'an XML document' };
  if (/^[[{]/.test(start)) return { isImage: false, name: 'JSON' };
  return { isImage: false, name: 'text' };
}

/** The text of bytes; undefined if they have control characters, as no text has. */
function textIn(bytes: Buffer): string | undefined {
  const isUtf16 = bytes.length > 1 && bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = isUtf16 ? bytes.subarray(2).toString('utf16le') : bytes.toString('utf8');
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text.replace(/^\ufeff/, '');
}

/** Parts of XML that may be above the first element. */
const PROLOG: readonly (readonly [begin: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
];

/** Skips declaration, comments and document type. The result is empty if they do not end in these bytes. */
function withoutProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const part = PROLOG.find(([begin]) => rest.startsWith(begin));
    const end = part ? part[1] : /^<!doctype\s+svg/i.test(rest) ? endOfType(rest) : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    rest = at < 0 ? '' : rest.slice(at + end.length).trimStart();
  }
}

/** A document type may have declarations of its own in brackets. */
function endOfType(text: string): string {
  const bracket = text.indexOf('[');
  return bracket >= 0 && bracket < text.indexOf('>') ? ']>' : '>';
}
