import { deflateRawSync, gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { escaped, makeWorkbook, zipOf } from '../workbook.ts';
import type { Dice } from './dice.ts';
import { hostileItems } from './items.ts';
import { type HostileTable, hostileTable } from './tables.ts';
import { jsonText, PIECES, value } from './values.ts';

/** The content of a file, and the facts that its command line needs. */
export interface Made {
  readonly bytes: Buffer;
  readonly resource: string;
  readonly beside: readonly string[];
}

interface Format {
  /** Number of files with this format among about 100. */
  readonly weight: number;
  make(dice: Dice): Made | Promise<Made>;
}

const ENCODINGS = {
  ...{ utf8: 60, 'utf-16le': 8, 'utf-16be': 4, 'utf-32le': 1, 'windows-1252': 8, 'iso-8859-2': 2 },
  ...{ 'windows-1251': 3, shift_jis: 2, gb18030: 2, cp437: 2, macroman: 1 },
};

function encoded(dice: Dice, text: string): Buffer {
  const encoding = dice.weighted(ENCODINGS);
  return iconv.encode(text, encoding, { addBOM: dice.chance(encoding.startsWith('utf-') ? 0.9 : 0.2) });
}

/** Replaces, removes, repeats or adds some bytes. */
function mutated(dice: Dice, bytes: Buffer): Buffer {
  let now = bytes;
  for (let times = 1 + dice.below(3); times > 0; times--) {
    const from = dice.below(now.length + 1);
    const to = Math.min(now.length, from + dice.below(dice.chance(0.7) ? 4 : 400));
    const part = now.subarray(from, to);
    const piece = Buffer.from(dice.of(PIECES));
    const instead = dice.of<() => Buffer>([
      () => piece,
      () => Buffer.alloc(0),
      () => Buffer.concat(Array.from({ length: dice.below(50) }, () => part)),
      () => Buffer.from(part.map((byte) => byte ^ (1 << dice.below(8)))),
      () => Buffer.alloc(dice.below(dice.chance(0.2) ? 3000 : 9), piece),
    ]);
    now = Buffer.concat([now.subarray(0, from), instead(), now.subarray(to)]);
  }
  return dice.chance(0.2) ? now.subarray(0, dice.below(now.length + 1)) : now;
}

const mutatedSometimes = (dice: Dice, bytes: Buffer, share = 0.25) =>
  dice.chance(share) ? mutated(dice, bytes) : bytes;

function csvText(dice: Dice, { header, rows }: HostileTable, delimiters: readonly string[]): string {
  const by = dice.of(delimiters);
  const end = dice.of(['\n', '\n', '\r\n', '\r']);
  const quote = dice.chance(0.03) ? "'" : '"';
  const quoted = (text: string) => quote + text.replaceAll(quote, quote + quote) + quote;
  const isQuoted = dice.of<(text: string) => boolean>([
    () => true,
    ...Array.from({ length: 6 }, () => (text: string) => /["'\n\r]/.test(text) || text.includes(by)),
    () => false,
  ]);
  const line = (row: readonly string[]) => row.map((cell) => (isQuoted(cell) ? quoted(cell) : cell)).join(by);
  const above = dice.chance(0.03) ? dice.list(3, () => dice.of(['', 'Export of 2024', 'a;b', '# x'])) : [];
  return [...above, ...[header, ...rows].map(line), ...(dice.chance(0.5) ? [''] : [])].join(end);
}

const DELIMITERS = [',', ',', ',', ';', ';', '\t', '|'];

function csv(dice: Dice, delimiters = DELIMITERS): Made {
  const table = hostileTable(dice);
  const bytes = encoded(dice, csvText(dice, table, delimiters));
  return { ...table, bytes: mutatedSometimes(dice, bytes) };
}

/** Repeats the lines below the header until the file is large enough for threads. */
function longCsv(dice: Dice, bytes: number): Made {
  const table = hostileTable(dice);
  const [first = '', ...lines] = csvText(dice, table, [',']).split('\n');
  const some = Buffer.from(`${lines.join('\n')}\n`);
  const times = Math.ceil(bytes / some.length);
  const all = Array.from({ length: times }, (_, at) =>
    Buffer.from(some.toString().replaceAll(/\b[01]/g, `${at}`)),
  );
  const made = Buffer.concat([Buffer.from(`${first}\n`), ...all]).subarray(0, bytes * 2);
  return { ...table, bytes: mutatedSometimes(dice, made, 0.5) };
}

/** As packed as its content: the reader expects much more of it, and reads it in a thread. */
const stored = (made: Made): Made => ({ ...made, bytes: gzipSync(made.bytes, { level: 0 }) });

function packed(dice: Dice, made: Made): Made {
  const bytes = dice.chance(0.05) ? gzipSync(gzipSync(made.bytes)) : gzipSync(made.bytes);
  const members = dice.chance(0.05) ? Buffer.concat([bytes, bytes]) : bytes;
  return { ...made, bytes: mutatedSometimes(dice, members, 0.15) };
}

/** Packed bytes that become some thousand times as many. */
function bomb(dice: Dice, made: Made): Made {
  // Many records take long, whatever their size.
  const [unit, bytes] = dice.chance(0.3)
    ? [dice.of(['a,b\n', '{}\n']), 300_000]
    : [dice.of(['x', '[', '{"a":', '"', '\n', ',', '\0']), dice.of([1, 8]) * 1_000_000];
  const head = made.bytes.subarray(0, dice.below(400));
  return { ...made, bytes: gzipSync(Buffer.concat([head, Buffer.alloc(bytes, unit)])) };
}

function json(dice: Dice): Made {
  const { items, ...facts } = hostileItems(dice);
  const list = `[${items.join(dice.chance(0.97) ? ',' : dice.of(['', ',,', '\n', ' , ']))}]`;
  const [before, after] = dice.chance(0.6)
    ? ['', '']
    : dice.of([
        ['{"products":', '}'],
        ['{"data":', `,"x":${jsonText(dice)}}`],
        ['{"data":{"products":{"edges":', '}}}'],
        [`{"x":${jsonText(dice)},"results":`, '}'],
        ['{"":', '}'],
      ]);
  return { ...facts, bytes: mutatedSometimes(dice, encoded(dice, before + list + after)) };
}

function ndjson(dice: Dice): Made {
  const { items, ...facts } = hostileItems(dice);
  const text = items.join(dice.of(['\n', '\n', '\r\n', '\n\n', '\r']));
  return { ...facts, bytes: mutatedSometimes(dice, encoded(dice, text)) };
}

function cellXml(dice: Dice, text: string, isWild: boolean): string {
  if (!isWild) {
    if (/^-?\d+(\.\d+)?$/.test(text)) return `<c><v>${text}</v></c>`;
    return `<c t="inlineStr"><is><t>${xmlText(text)}</t></is></c>`;
  }
  return dice.of([
    () => `<c t="inlineStr"><is><t>${text}</t></is></c>`,
    () => `<c t="s"><v>${dice.of([0, 1, 5, -1, 1e9, 'x'])}</v></c>`,
    () => `<c s="${dice.below(6) - 1}"><v>${dice.of(NUMBERS)}</v></c>`,
    () => `<c t="${dice.of(['e', 'b', 'str', 'd', 'x'])}"><f>A1</f><v>${dice.of(NUMBERS)}</v></c>`,
    () => `<c r="${dice.of(['A', 'B', 'XFD', 'ZZZ', 'ZZZZZZZZ', ''])}${dice.below(9)}"><v>1</v></c>`,
    () => `<c t="inlineStr"><is><r><t>${xmlText(text)}</t></r><rPh><t>x</t></rPh></is></c>`,
  ])();
}

const NUMBERS = [
  '1',
  '45000.5',
  '-1',
  '1e400',
  '',
  'x',
  '123456789012345678',
  '#N/A',
  '2024-01-01',
  '-0',
  'NaN',
];

const xmlText = (text: string) =>
  escaped(text.replaceAll(/[\0-\x08\x0b-\x1f>]/g, (char) => `&#${char.charCodeAt(0)};`));

function sheetXml(dice: Dice, { header, rows }: HostileTable): string {
  const share = dice.of([0, 0, 0.02, 0.2]);
  const row = (cells: readonly string[], wild: number) => {
    const place = dice.chance(wild / 4) ? ` r="${dice.of([-1, 0, 3, 99, 1_048_577, 'x'])}"` : '';
    return `<row${place}>${cells.map((cell) => cellXml(dice, cell, dice.chance(wild))).join('')}</row>`;
  };
  return row(header, share / 20) + rows.map((cells) => row(cells, share)).join('');
}

async function workbook(dice: Dice): Promise<Made> {
  const table = hostileTable(dice);
  const whole = sheetXml(dice, table);
  const rows = dice.chance(0.8) ? whole : mutated(dice, Buffer.from(whole)).toString();
  const shared = dice.list(6, () => `<t>${xmlText(value(dice))}</t>`);
  const odd = ['[>1]0;@', '"', '[$-409]', '#,##0.00 €', '\\', 'h:mm:ss.000', '[h]', 'yyyy"'];
  const before = dice.chance(0.1)
    ? `<cols><col min="${dice.below(9) - 4}" max="${dice.below(20_000)}" hidden="1"/></cols>`
    : '';
  const part = dice.of(['xl/styles.xml', 'xl/workbook.xml', '_rels/.rels', 'xl/sharedStrings.xml']);
  const deep = () => '<a>'.repeat(dice.below(200_000));
  const xml = dice.of([
    '',
    '<a>',
    '<a/>',
    '<a b="1" b="2"/>',
    '\ufeff<?xml?>',
    '<!DOCTYPE a [<!ENTITY b "c">]>&b;',
    deep,
  ]);
  const parts = dice.chance(0.08) ? { [part]: typeof xml === 'string' ? xml : xml() } : {};
  const sheet = {
    rows,
    before,
    state: dice.chance(0.05) ? dice.of(['hidden', 'veryHidden', 'x']) : 'visible',
  };
  const notes = { rows: '<row><c t="inlineStr"><is><t>Notes</t></is></c></row>', name: 'Notes' };
  const sheets = dice.chance(0.01)
    ? []
    : dice.of([[sheet], [sheet], [sheet], [notes, sheet], [sheet, notes, sheet]]);
  const formats = ['0.00', 'yyyy-mm-dd', dice.of(odd)];
  const bytes = await makeWorkbook({ sheets, shared, formats, is1904: dice.chance(0.1), parts });
  return { ...table, bytes: mutatedSometimes(dice, bytes, 0.1) };
}

const wrapped = (made: Made, ...parts: readonly Buffer[]): Made => ({ ...made, bytes: Buffer.concat(parts) });

/** By the ending of the file. The last are refused, whatever is in them. */
export const FORMATS: Readonly<Record<string, Format>> = {
  csv: { weight: 28, make: (dice) => (dice.chance(0.01) ? longCsv(dice, 1_200_000) : csv(dice)) },
  tsv: { weight: 7, make: (dice) => csv(dice, ['\t']) },
  txt: { weight: 2, make: (dice) => (dice.chance(0.8) ? csv(dice) : ndjson(dice)) },
  'csv.gz': {
    weight: 8,
    make(dice) {
      if (dice.chance(0.02)) return bomb(dice, csv(dice));
      return dice.chance(0.1) ? stored(longCsv(dice, 360_000)) : packed(dice, csv(dice));
    },
  },
  json: { weight: 15, make: json },
  ndjson: { weight: 12, make: ndjson },
  'json.gz': {
    weight: 3,
    make: (dice) => (dice.chance(0.03) ? bomb(dice, json(dice)) : packed(dice, json(dice))),
  },
  'ndjson.gz': {
    weight: 4,
    make: (dice) => (dice.chance(0.03) ? bomb(dice, ndjson(dice)) : packed(dice, ndjson(dice))),
  },
  xlsx: { weight: 12, make: workbook },
  xlsm: { weight: 3, make: workbook },
  ods: {
    weight: 0.5,
    async make(dice) {
      const table = hostileTable(dice);
      const content = sheetXml(dice, table);
      return {
        ...table,
        bytes: mutatedSometimes(dice, await zipOf({ mimetype: ODS, 'content.xml': content })),
      };
    },
  },
  xls: {
    weight: 0.5,
    make(dice) {
      const kind = Buffer.from(dice.of(['Workbook', 'EncryptedPackage']), 'utf16le');
      const made = wrapped(csv(dice), COMPOUND, kind, Buffer.alloc(dice.below(4000)));
      return { ...made, bytes: mutatedSometimes(dice, made.bytes) };
    },
  },
  zip: {
    weight: 0.5,
    async make(dice) {
      const made = csv(dice);
      return { ...made, bytes: mutatedSometimes(dice, await zipOf({ 'products.csv': made.bytes })) };
    },
  },
  xml: {
    weight: 0.4,
    make: (dice) =>
      wrapped(csv(dice), Buffer.from(`<?xml version="1.0"?><rss>${sheetXml(dice, hostileTable(dice))}`)),
  },
  parquet: { weight: 0.4, make: (dice) => wrapped(csv(dice), PARQUET, csv(dice).bytes, PARQUET) },
  bz2: { weight: 0.4, make: (dice) => wrapped(csv(dice), Buffer.from('BZh91AY&SY'), csv(dice).bytes) },
  bin: { weight: 0.4, make: (dice) => wrapped(csv(dice), deflateRawSync(csv(dice).bytes)) },
};

const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const PARQUET = Buffer.from('PAR1');
