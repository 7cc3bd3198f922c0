import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { randomFrom } from './hostile-csv.ts';
import { makeWorkbook, zipOf } from './workbook.ts';

/** A file that may break a command, and the options to read it with. The same for each number. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly resource: string;
  readonly options: readonly string[];
}

type Random = () => number;

/** Choices of one file, in a fixed order. */
interface Dice {
  readonly random: Random;
  below(count: number): number;
  of<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

function diceOf(random: Random): Dice {
  const below = (count: number) => Math.floor(random() * count);
  return {
    random,
    below,
    of: (list) => list[below(list.length)] as never,
    chance: (share) => random() < share,
  };
}

const RESOURCES = ['products', 'customers', 'orders', 'discounts', 'suppliers'];

const NAMES = [
  ...[
    'reference',
    'name',
    'price',
    'stock',
    'images',
    'variants',
    'options',
    'productType',
    'email',
    'phone',
  ],
  ...[
    'Handle',
    'Title',
    'Variant SKU',
    'Variant Price',
    'Image Src',
    'Option1 Name',
    'ID',
    'Type',
    'SKU',
    'Parent',
  ],
  ...[
    'variants.0.price',
    'variants.1.options',
    'images.0',
    'json',
    'storeport_error',
    'storeport_run',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    '',
    ' ',
    'a.b.c',
    'ä',
    '\ufeffname',
    '=1+1',
    'n\nm',
    'categories',
    'items.0.sku',
  ],
];

const VALUES = [
  ...[
    '',
    ' ',
    'A1',
    'Mug',
    '12,50 €',
    '1.299,90',
    '-0',
    '1e999',
    '9007199254740993',
    'NaN',
    'null',
    'TRUE',
    'ja',
  ],
  ...[
    '2024-02-30',
    '31/12/2024 25:61',
    '00123',
    '=cmd|x',
    '+1',
    '@x',
    "'",
    '"',
    '""',
    '\0',
    '\ufffd',
    '\u202e',
    '😀',
  ],
  ...[
    '\ud800',
    'Ã¼',
    '#REF!',
    'a|b|c',
    'a;b',
    'a,b',
    'x\ny',
    'x\r',
    'https://example.com/a.png',
    'javascript:1',
  ],
  ...[
    '[]',
    '{}',
    '[1,',
    '{"__proto__":{"a":1}}',
    '[{"src":"x"}]',
    '{"a":{"b":{"c":[null]}}}',
    'PHYSICAL',
    'a@b.c',
  ],
];

/** Pieces that change the meaning of what is around them. */
const PIECES = [
  ...[
    '"',
    '""',
    '\n',
    '\r',
    '\r\n',
    '\0',
    ',',
    ';',
    '\t',
    '\\',
    "'",
    '[',
    ']',
    '{',
    '}',
    ':',
    '<',
    '>',
    '&',
    '&lt;',
  ],
  ...[
    '\ufeff',
    '</row>',
    '<c>',
    '<v>',
    ']]>',
    '<![CDATA[',
    '<!--',
    '<!DOCTYPE a [',
    '\\u0000',
    '\\ud800',
    '1e400',
  ],
];

function value(dice: Dice): string {
  if (dice.chance(0.02)) return dice.of(PIECES).repeat(dice.below(5000));
  if (dice.chance(0.01)) return 'x'.repeat(dice.below(1_500_000));
  if (dice.chance(0.01)) return `${'['.repeat(dice.below(9000))}1`;
  if (dice.chance(0.1)) return dice.of(PIECES);
  return dice.chance(0.1) ? dice.of(VALUES) + dice.of(VALUES) : dice.of(VALUES);
}

function table(dice: Dice): string[][] {
  const width = dice.chance(0.02) ? dice.below(5000) + 1 : dice.below(12) + 1;
  const rows = dice.chance(0.02) ? dice.below(3000) : dice.below(12);
  const header = Array.from({ length: width }, () => dice.of(NAMES));
  const cells = rows * width > 20_000 ? () => 'b' : () => value(dice);
  return [header, ...Array.from({ length: rows }, () => Array.from({ length: width }, cells))];
}

const SAMPLES = join(import.meta.dirname, '..', '..', 'samples');

/** A sample of the project, or a table made of hostile cells, as CSV. */
function csvText(dice: Dice): string {
  if (dice.chance(0.3)) {
    const names = readdirSync(SAMPLES).filter((name) => /\.csv$/.test(name));
    return readFileSync(join(SAMPLES, dice.of(names)), 'utf8').slice(0, 20_000);
  }
  const by = dice.of([',', ';', '\t', '|']);
  const end = dice.of(['\n', '\r\n', '\r']);
  const quoted = (text: string) => (dice.chance(0.9) ? `"${text.replaceAll('"', '""')}"` : text);
  const cell = (text: string) => (/["\n\r,;\t|]/.test(text) ? quoted(text) : text);
  return table(dice)
    .map((row) => row.map(cell).join(by))
    .join(end);
}

const ENCODINGS = [
  'utf8',
  'utf8',
  'utf8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-2',
  'windows-1251',
  'shift_jis',
  'gb18030',
  'cp437',
];

function encoded(dice: Dice, text: string): Buffer {
  const addBOM = dice.chance(0.4);
  return iconv.encode(text, dice.of(ENCODINGS), { addBOM });
}

function jsonValue(dice: Dice, depth = 0): unknown {
  if (depth > 5 || dice.chance(0.5))
    return dice.chance(0.5) ? value(dice) : dice.of([0, -1, 1.5, 1e300, null, true, false]);
  const items = Array.from({ length: dice.below(4) }, () => jsonValue(dice, depth + 1));
  return dice.chance(0.5) ? items : Object.fromEntries(items.map((item) => [dice.of(NAMES), item]));
}

function jsonItem(dice: Dice): string {
  if (dice.chance(0.02)) return '['.repeat(dice.below(200_000));
  if (dice.chance(0.02)) return `{"a":${'[{"b":'.repeat(dice.below(300))}1}`;
  const item = Object.fromEntries(
    Array.from({ length: dice.below(8) }, () => [dice.of(NAMES), jsonValue(dice)]),
  );
  return JSON.stringify(dice.chance(0.9) ? item : jsonValue(dice));
}

const jsonItems = (dice: Dice) => Array.from({ length: dice.below(15) }, () => jsonItem(dice));

function jsonText(dice: Dice): string {
  const list = `[${jsonItems(dice).join(dice.chance(0.95) ? ',' : '')}]`;
  return dice.chance(0.5)
    ? list
    : `{"${dice.of(['products', 'data', 'results', ''])}":${list},"x":${jsonItem(dice)}}`;
}

function xmlText(text: string): string {
  return text.replaceAll(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function sheetXml(dice: Dice): string {
  const cell = (text: string) => {
    const kind = dice.below(5);
    if (kind === 0) return `<c t="inlineStr"><is><t>${dice.chance(0.95) ? xmlText(text) : text}</t></is></c>`;
    if (kind === 1) return `<c t="s"><v>${dice.below(6)}</v></c>`;
    if (kind === 2)
      return `<c s="${dice.below(4)}"><v>${dice.of(['1', '45000.5', '-1', '1e400', '', 'x', '123456789012345678'])}</v></c>`;
    if (kind === 3)
      return `<c t="${dice.of(['e', 'b', 'str', 'd', 'x'])}"><f>A1</f><v>${dice.of(['1', '#N/A', '2024-01-01', ''])}</v></c>`;
    return `<c r="${dice.of(['A', 'B', 'XFD', 'ZZZ', ''])}${dice.below(9)}"><v>${dice.below(99)}</v></c>`;
  };
  const [header = [], ...rows] = table(dice);
  const names = header.map((name) => `<c t="inlineStr"><is><t>${xmlText(name)}</t></is></c>`).join('');
  const row = (cells: string[]) =>
    `<row${dice.chance(0.1) ? ` r="${dice.below(99)}"` : ''}>${cells.map(cell).join('')}</row>`;
  return `<row>${names}</row>${rows.map(row).join('')}`;
}

/** Replaces, removes, repeats or adds some bytes. */
function mutated(dice: Dice, bytes: Buffer): Buffer {
  let now = bytes;
  for (let times = dice.below(4); times > 0; times--) {
    const from = dice.below(now.length + 1);
    const to = Math.min(now.length, from + dice.below(dice.chance(0.5) ? 4 : 400));
    const part = now.subarray(from, to);
    const piece = Buffer.from(dice.of(PIECES));
    const instead = dice.of<() => Buffer>([
      () => piece,
      () => Buffer.alloc(0),
      () => Buffer.concat(Array.from({ length: dice.below(50) }, () => part)),
      () => Buffer.from(part.map((byte) => byte ^ (1 << dice.below(8)))),
      () => Buffer.alloc(dice.below(3000), piece),
    ]);
    now = Buffer.concat([now.subarray(0, from), instead(), now.subarray(to)]);
  }
  return dice.chance(0.1) ? now.subarray(0, dice.below(now.length + 1)) : now;
}

/** By the ending of the file. Most are changed before they are packed, some after that. */
const FORMATS: Readonly<Record<string, (dice: Dice) => Buffer | Promise<Buffer>>> = {
  csv: (dice) => mutated(dice, encoded(dice, csvText(dice))),
  tsv: (dice) => mutated(dice, encoded(dice, csvText(dice).replaceAll(',', '\t'))),
  'csv.gz': (dice) => mutatedSometimes(dice, gzipSync(mutated(dice, encoded(dice, csvText(dice))))),
  json: (dice) => mutated(dice, encoded(dice, jsonText(dice))),
  ndjson: (dice) => mutated(dice, encoded(dice, jsonItems(dice).join('\n'))),
  'ndjson.gz': (dice) =>
    mutatedSometimes(dice, gzipSync(mutated(dice, Buffer.from(jsonItems(dice).join('\n'))))),
  async xlsx(dice) {
    const rows = dice.chance(0.5) ? sheetXml(dice) : mutated(dice, Buffer.from(sheetXml(dice))).toString();
    const shared = Array.from({ length: dice.below(6) }, () => `<t>${xmlText(value(dice))}</t>`);
    const formats = [
      '0.00',
      'yyyy-mm-dd',
      dice.of(['[>1]0;@', '"', '[$-409]', '#,##0.00 €', '\\', 'h:mm:ss.000']),
    ];
    const before = dice.chance(0.1)
      ? `<cols><col min="${dice.below(9) - 4}" max="${dice.below(20_000)}" hidden="1"/></cols>`
      : '';
    const part = dice.of(['xl/styles.xml', 'xl/workbook.xml', '_rels/.rels', 'xl/sharedStrings.xml']);
    const parts = dice.chance(0.1)
      ? { [part]: dice.of(['', '<a>', '<a/>', '<a b="1" b="2"/>', '\ufeff<?xml?>']) }
      : {};
    return mutatedSometimes(dice, await makeWorkbook({ sheets: [{ rows, before }], shared, formats, parts }));
  },
  ods: async (dice) => mutatedSometimes(dice, await zipOf({ mimetype: 'x', 'content.xml': sheetXml(dice) })),
  xls: (dice) =>
    mutated(
      dice,
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from(dice.of(['Workbook', 'EncryptedPackage']), 'utf16le'),
        Buffer.alloc(dice.below(4000)),
      ]),
    ),
  zip: async (dice) => mutatedSometimes(dice, await zipOf({ 'products.csv': csvText(dice) })),
  bin: (dice) => mutated(dice, deflateRawSync(Buffer.from(csvText(dice)))),
};

function mutatedSometimes(dice: Dice, bytes: Buffer): Buffer {
  return dice.chance(0.2) ? mutated(dice, bytes) : bytes;
}

const OPTIONS: readonly (readonly string[])[] = [
  ...[['--no-header'], ['--skip-lines', '2'], ['--pad-rows'], ['--delimiter', ';'], ['--quote', '']],
  ...[
    ['--encoding', 'windows-1252'],
    ['--limit', '3'],
    ['--offset', '1'],
    ['--max-errors', '2'],
    ['--errors-as', 'xlsx'],
  ],
];

/** All formats in turn. */
export async function hostileFile(number: number): Promise<HostileFile> {
  const endings = Object.keys(FORMATS);
  const ending = endings[number % endings.length] as string;
  const dice = diceOf(randomFrom(number));
  const bytes = await (FORMATS[ending] as (dice: Dice) => Buffer | Promise<Buffer>)(dice);
  return {
    name: `hostile.${ending}`,
    bytes,
    resource: dice.chance(0.7) ? 'products' : dice.of(RESOURCES),
    options: dice.chance(0.3) ? dice.of(OPTIONS) : [],
  };
}
