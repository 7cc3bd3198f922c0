import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { columnLetters } from '../../src/model/index.ts';
import { readText } from '../support/read-text.ts';

test('header names are kept exactly as written', async () => {
  const { header } = await readText(' Name ,Größe,"a ""b"""\n1,2,3\n');
  expect(header).toEqual([' Name ', 'Größe', 'a "b"']);
});

test('a duplicate header name causes a warning with both columns', async () => {
  const { warnings } = await readText('Tag,Price,Tag,Name,Tag \n');
  expect(warnings).toEqual([
    {
      code: 'duplicate-header',
      message: 'The header has "Tag" 3 times: columns 1 (A), 3 (C) and 5 (E). Rename all but one.',
      column: 'Tag',
      origin: { file: 'shop.csv', row: 1, line: 1 },
    },
  ]);
});

test('all columns without a name cause one warning', async () => {
  const { warnings } = await readText(`a,,b${','.repeat(30)}\n`);
  expect(warnings.map((warning) => [warning.code, warning.message])).toEqual([
    [
      'empty-header',
      'The header has no name for columns 2 (B), 4 (D), 5 (E), 6 (F), 7 (G), 8 (H) and 25 more: no mapping can use them.',
    ],
  ]);
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('the letters of column %d are %s', (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
});

test.each([
  ['a,b;c;d\n', ';'],
  ['a\tb\n1,2,3\n', '\t'],
  ['a|b|c\n', '|'],
  ['"x;y;z",b\n', ','],
  ['only\n', ','],
  ['a,b;c\n', ','],
  ['\n\na;b\n', ';'],
])('the delimiter of %j is %j', async (text, delimiter) => {
  const { source } = await readText(text);
  expect(source.reading()).toEqual({ format: 'csv', encoding: 'UTF-8', delimiter, quote: '"' });
});

test('--delimiter takes precedence over detection', async () => {
  expect((await readText('a,b;c\n', { delimiter: ';' })).header).toEqual(['a,b', 'c']);
  expect((await readText('a,b\tc\n', { delimiter: '\\t' })).header).toEqual(['a,b', 'c']);
  expect((await readText('a::b\n1::2\n', { delimiter: '::' })).cells).toEqual([['1', '2']]);
});

test.each([
  ['', 'shop.csv is empty: it has not even a header.'],
  ['\uFEFF', 'shop.csv is empty: it has not even a header.'],
  ['\n \n\n', 'shop.csv holds only blank lines: it has no header.'],
  [',,\n1,2,3\n', 'shop.csv has no readable header: row 1 (line 1) has only empty cells.'],
  ['\na,"b\n1,2\n', 'shop.csv has no readable header: row 2 (line 2) is damaged.'],
  ['a,b\0\n', 'shop.csv has no readable header: row 1 (line 1) holds NUL bytes.'],
  ['<!DOCTYPE html>\n<p>Sign in', 'shop.csv is an HTML page, and not CSV or JSON text.'],
  [
    'PK\x03\x04\n',
    'shop.csv is a zip file, such as a workbook, that is cut off or damaged: its index at the end cannot be read.',
  ],
  ['%PDF-1.7\n', 'shop.csv is a PDF document, and not CSV or JSON text.'],
  [
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
    'shop.csv is an old Excel workbook (.xls), which cannot be read.',
  ],
  ['\uFEFF<html>', 'shop.csv is an HTML page, and not CSV or JSON text.'],
  [
    '\uFEFF<?xml version="1.0"?>\n<!-- made by a shop -->\n<SHOP>\n<SHOPITEM>',
    'shop.csv is a product feed in XML (Heureka or Zboží.cz), and not CSV or JSON text.',
  ],
  [
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>',
    'shop.csv is a product feed in XML (RSS or Atom, as for Google Merchant Center), and not CSV or JSON text.',
  ],
  [
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">',
    'shop.csv is a product feed in XML (RSS or Atom, as for Google Merchant Center), and not CSV or JSON text.',
  ],
  [
    '<?xml version="1.0"?><!DOCTYPE yml_catalog SYSTEM "shops.dtd"><yml_catalog date="2026-01-01">',
    'shop.csv is a product feed in XML (YML, as of Rozetka, Prom or Yandex Market), and not CSV or JSON text.',
  ],
  ['<products><product>', 'shop.csv is a product feed in XML, and not CSV or JSON text.'],
  ['<?xml version="1.0"?><invoices>', 'shop.csv is an XML document, and not CSV or JSON text.'],
  [
    '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code>',
    'shop.csv is the error message of a server in XML, and not CSV or JSON text.',
  ],
  [
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd"><html>',
    'shop.csv is an HTML page, and not CSV or JSON text.',
  ],
  ['<!-- a page -->\n<head>', 'shop.csv is an HTML page, and not CSV or JSON text.'],
  ['BZh91AY', 'shop.csv is compressed with bzip2, and not CSV or JSON text.'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4]), 'shop.csv is compressed with zstd, and not CSV or JSON text.'],
  [`a.csv${'\0'.repeat(252)}ustar`, 'shop.csv is a tar archive, and not CSV or JSON text.'],
  [Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), 'shop.csv is an image (PNG), and not CSV or JSON text.'],
  [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'shop.csv is an image (JPEG), and not CSV or JSON text.'],
  ['SQLite format 3\0\x10\0', 'shop.csv is an SQLite database, and not CSV or JSON text.'],
  [gzipSync(gzipSync('a,b\n1,2\n')), 'shop.csv is compressed with gzip twice, and not CSV or JSON text.'],
])('%j is refused', async (text, message) => {
  for (const size of [1, Number.POSITIVE_INFINITY]) {
    await expect(readText(text, {}, size)).rejects.toMatchObject({ name: 'ConfigError', message });
  }
});

test.each(['[id],[name]\n1,2\n', '{id};b\n1;2\n', '<b>,c\n1,2\n'])('%j is CSV', async (text) => {
  expect((await readText(text)).cells).toEqual([['1', '2']]);
});

test.each([
  [{ delimiter: '' }, /--delimiter must not be empty/],
  [{ delimiter: '\n' }, /--delimiter must not be a line break/],
  [{ quote: '""' }, /--quote must be one character/],
  [{ delimiter: '"' }, /--delimiter and --quote must differ/],
])('the options %j are refused', async (options, message) => {
  await expect(readText('a\n', options)).rejects.toThrow(message);
});
