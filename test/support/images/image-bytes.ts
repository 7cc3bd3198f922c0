/** First bytes of files, each long enough to be recognised. */

const ascii = (text: string) => Buffer.from(text, 'latin1');

/** A container with these brands, as of AVIF, HEIC and videos. */
const container = (...brands: string[]) => {
  const [main = '', ...others] = brands;
  const bytes = Buffer.concat([ascii(`\0\0\0\0ftyp${main}\0\0\0\0`), ascii(others.join(''))]);
  bytes.writeUInt32BE(bytes.length, 0);
  return Buffer.concat([bytes, Buffer.alloc(64)]);
};

export const JPEG = Buffer.concat([ascii('\xff\xd8\xff\xe0\0\x10JFIF\0\x01'), Buffer.alloc(64)]);

/** Images by kind. */
export const IMAGE_BYTES: Readonly<Record<string, Buffer>> = {
  JPEG,
  PNG: ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  GIF: ascii('GIF89a\x01\0\x01\0'),
  WebP: ascii('RIFF\x24\0\0\0WEBPVP8 '),
  AVIF: container('avif', 'mif1', 'miaf'),
  HEIC: container('heic', 'mif1'),
  HEIF: container('mif1', 'miaf'),
  BMP: ascii('BM\x36\0\x0c\0\0\0\0\0\x36\0\0\0'),
  TIFF: ascii('II*\0\x08\0\0\0'),
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
};

/** Other files, by how they are named. */
export const OTHER_BYTES: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  'an HTML page': Buffer.from('<!DOCTYPE html>\n<html><body>Not here</body></html>'),
  'an XML document': Buffer.from('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'),
  JSON: Buffer.from('{"error":"not found"}'),
  text: Buffer.from('Not found'),
  'a PDF document': ascii('%PDF-1.7\n%\xe2\xe3'),
  'a zip file': ascii('PK\x03\x04\x14\0'),
  'a video': container('isom', 'iso2', 'avc1', 'mp41'),
};
