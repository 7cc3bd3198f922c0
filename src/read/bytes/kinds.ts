import { ConfigError, ownValue } from '../../model/index.ts';

const SAVE_AS_CSV = 'Open it in a spreadsheet and save it as "CSV UTF-8 (comma delimited)".';

interface Kind {
  readonly is: string;
  readonly hint: string;
  readonly matches: (head: Buffer) => boolean;
}

const EXPORT_INSTEAD = 'Export the data as CSV or JSON instead.';

/** Kinds of files that are not text, by their first bytes. */
const KINDS: readonly Kind[] = [
  {
    is: 'is compressed with gzip twice',
    hint: 'Unpack it once, for example with: gunzip --keep FILE',
    matches: startsWith(0x1f, 0x8b),
  },
  {
    is: 'is an Excel workbook (.xlsx) or another zip file',
    hint: 'A workbook is read as it is: without --format, and not packed with gzip. Unpack another zip file first.',
    matches: (head) => isZip(head),
  },
  { is: 'is an old Excel workbook (.xls)', hint: SAVE_AS_CSV, matches: startsWith(0xd0, 0xcf, 0x11, 0xe0) },
  {
    is: 'is a PDF document',
    hint: EXPORT_INSTEAD,
    matches: startsWith(0x25, 0x50, 0x44, 0x46),
  },
  {
    is: 'is an image (PNG)',
    hint: EXPORT_INSTEAD,
    matches: startsWith(0x89, 0x50, 0x4e, 0x47),
  },
  {
    is: 'is an image (JPEG)',
    hint: EXPORT_INSTEAD,
    matches: startsWith(0xff, 0xd8, 0xff),
  },
  {
    is: 'is an SQLite database',
    hint: 'Export the table as CSV, for example with: sqlite3 -header -csv FILE "select * from TABLE"',
    matches: startsWith(...Buffer.from('SQLite format 3\0')),
  },
  {
    is: 'is compressed with zstd',
    hint: 'Unpack it first: zstd -d FILE',
    matches: startsWith(0x28, 0xb5, 0x2f, 0xfd),
  },
  {
    is: 'is compressed with xz',
    hint: 'Unpack it first: xz -d FILE',
    matches: startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a),
  },
  {
    is: 'is compressed with bzip2',
    hint: 'Unpack it first: bzip2 -d FILE',
    matches: startsWith(0x42, 0x5a, 0x68, 0x39),
  },
  {
    is: 'is a tar archive',
    hint: 'Unpack it first, for example with: tar -xf FILE',
    matches: (head) => head.toString('latin1', 257, 262) === 'ustar',
  },
];

export function isZip(head: Buffer): boolean {
  return startsWith(0x50, 0x4b, 3, 4)(head) || startsWith(0x50, 0x4b, 5, 6)(head);
}

/** Refuses a file that is plainly not text, and names its kind. `head` is the beginning of the file, unpacked. */
export function refuseOtherKinds(file: string, head: Buffer): void {
  for (const kind of KINDS) {
    if (kind.matches(head))
      throw new ConfigError(`${file} ${kind.is}, and not CSV or JSON text.`, [kind.hint]);
  }
}

interface XmlKind {
  readonly is: string;
  readonly hint: string;
}

const FEED_HINT =
  'XML is not read. Export the products of that shop as CSV, JSON or an Excel workbook: docs/presets.md lists the formats that are known.';
const feed = (of: string): XmlKind => ({ is: `is a product feed in XML${of}`, hint: FEED_HINT });
const ANY_FEED = feed('');
const GOOGLE: XmlKind = {
  is: 'is a product feed in XML (RSS or Atom, as for Google Merchant Center)',
  hint: 'XML is not read. The same feed as tab-separated text or CSV is: choose that form where the feed is made.',
};

/** Kinds of XML documents, by the name of their root element in lower case. */
const XML_KINDS: Readonly<Record<string, XmlKind>> = {
  rss: GOOGLE,
  feed: GOOGLE,
  'rdf:rdf': GOOGLE,
  shop: feed(' (Heureka or Zboží.cz)'),
  yml_catalog: feed(' (YML, as of Rozetka, Prom or Yandex Market)'),
  products: ANY_FEED,
  productlist: ANY_FEED,
  product_list: ANY_FEED,
  catalog: ANY_FEED,
  catalogue: ANY_FEED,
  offers: feed(' (Ceneo)'),
  items: ANY_FEED,
  store: ANY_FEED,
  mywebstore: feed(' (Skroutz)'),
  bmecat: feed(' (BMEcat)'),
  channel: GOOGLE,
  workbook: { is: 'is an old Excel workbook in XML', hint: SAVE_AS_CSV },
  'office:document': { is: 'is an OpenDocument spreadsheet in XML', hint: SAVE_AS_CSV },
  urlset: { is: 'is a sitemap in XML, which lists only addresses', hint: EXPORT_INSTEAD },
  sitemapindex: { is: 'is a sitemap in XML, which lists only addresses', hint: EXPORT_INSTEAD },
  error: {
    is: 'is the error message of a server in XML',
    hint: 'It was saved in place of the file: download the file again, with a link that is still valid.',
  },
};

const OTHER_XML: XmlKind = {
  is: 'is an XML document',
  hint: 'XML is not read. Export the data as CSV, JSON or an Excel workbook instead.',
};

/** The text before the root element: the declaration, instructions, comments and the type of the document. */
const PROLOG = /^\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*/i;

/** Refuses an HTML page that was saved in place of the file, and XML. `text` is the beginning of the file, decoded. */
export function refusePages(file: string, text: string): void {
  if (!/^\s*</.test(text)) return;
  const [prolog = ''] = PROLOG.exec(text) ?? [];
  const [, root = ''] = /^<([a-z_][\w:.-]*)[\s/>]/i.exec(text.slice(prolog.length)) ?? [];
  const isHtml = /<!doctype\s+html/i.test(prolog) || /^html$/i.test(root);
  const known = isHtml ? undefined : ownValue(XML_KINDS, root.toLowerCase());
  const xml = known ?? (!isHtml && /^\s*<\?xml/i.test(text) ? OTHER_XML : undefined);
  if (xml !== undefined) throw new ConfigError(`${file} ${xml.is}, and not CSV or JSON text.`, [xml.hint]);
  if (isHtml || /^\s*<!/.test(text))
    throw new ConfigError(`${file} is an HTML page, and not CSV or JSON text.`, [
      'It may be a sign-in page that was saved in place of the file: download the file again.',
    ]);
}

function startsWith(...bytes: number[]): (head: Buffer) => boolean {
  return (head) => bytes.every((byte, at) => head[at] === byte);
}
