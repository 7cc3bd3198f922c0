import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { openSource } from '../../../src/read/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { issuesOf, readText } from '../../support/read-text.ts';
import { temporaryFolder } from '../../support/run.ts';

/** Words of a shop, in letters that the encodings have. */
const TEXTS = {
  german: 'Name;Preis;Beschreibung\nGrüne Tasse;12,50;Schöne Tasse für Käse\nMüsli;3;Größe und Maße\n',
  french: 'nom;prix\nThé à la menthe;3 €\nGâteau d’été;4\n',
  spanish: 'nombre,precio\nCamión,3\nNiño,4\nSueño de verano,5\n',
  english: 'name,price\nMug™ 15″,3\n',
  russian: 'Название;Цена\nЧашка зелёная;3\nЛожка;4\nВилка столовая;5\n',
  arabic: 'الاسم;السعر\nكوب أخضر;3\nملعقة;4\n',
  hebrew: 'שם;מחיר\nכוס ירוקה;3\nכפית;4\n',
  japanese: '商品名,価格\n緑のカップ,3\nスプーン,4\n',
  chinese: `名称,价格\n${'绿色杯子,3\n勺子,4\n我们的产品,5\n'.repeat(8)}`,
  korean: `이름,가격\n${'녹색 컵,3\n숟가락,4\n우리의 제품,5\n'.repeat(8)}`,
  czech: `název;cena\n${'Žlutý kůň;3\nPříliš žluťoučký;5\n'.repeat(8)}`,
};

const DETECTED: readonly [keyof typeof TEXTS, string][] = [
  ['german', 'windows-1252'],
  ['french', 'windows-1252'],
  ['spanish', 'windows-1252'],
  ['russian', 'windows-1251'],
  ['russian', 'KOI8-R'],
  ['arabic', 'windows-1256'],
  ['hebrew', 'windows-1255'],
  ['japanese', 'Shift_JIS'],
  ['japanese', 'EUC-JP'],
  ['chinese', 'GB18030'],
  ['korean', 'EUC-KR'],
  ['czech', 'windows-1250'],
];

describe('an encoding is detected from the text', () => {
  test.each(DETECTED)('%s in %s', async (language, encoding) => {
    const text = TEXTS[language];
    const { source, header, cells } = await readText(iconv.encode(text, encoding), {}, 7);
    const expected = await readText(text);
    expect([header, ...cells]).toEqual([expected.header, ...expected.cells]);
    expect(source.reading()).toMatchObject({ encoding, guessed: true });
  });

  test.each(Object.entries(TEXTS))(
    'UTF-8 and UTF-16, with and without a byte order mark: %s',
    async (_, text) => {
      const expected = await readText(text);
      expect(expected.source.reading()).toMatchObject({ encoding: 'UTF-8' });
      expect(expected.source.reading().guessed).toBeUndefined();
      for (const mark of ['', '\uFEFF'])
        for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'])
          for (const size of [3, Number.POSITIVE_INFINITY]) {
            const { source, header, cells } = await readText(iconv.encode(mark + text, encoding), {}, size);
            expect([header, ...cells]).toEqual([expected.header, ...expected.cells]);
            expect(source.reading().encoding).toBe(encoding.toUpperCase());
          }
    },
  );

  test('an English name with one sign is read as Windows-1252, not as a rare script', async () => {
    const { cells, source } = await readText(Buffer.from('name,price\nMug\xae,3\n', 'latin1'));
    expect(cells).toEqual([['Mug®', '3']]);
    expect(source.reading()).toMatchObject({ encoding: 'windows-1252', guessed: true });
  });

  test('text that fits no encoding is refused rather than guessed', async () => {
    const words = iconv.encode('name,price\nЧашка,3\nЛожка,4\n', 'windows-1251');
    await expect(readText(words)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'shop.csv is not UTF-8, and its text does not show which encoding it has.',
    });
    expect((await readText(words, { encoding: 'windows-1251' })).cells).toEqual([
      ['Чашка', '3'],
      ['Ложка', '4'],
    ]);
  });

  test.each([
    [100_000, 600_014],
    [8_000, 48_014],
  ])('the first non-ASCII letter may follow after %d rows, and then causes a warning', async (count, at) => {
    const rows = 'mug,3\n'.repeat(count);
    const bytes = Buffer.concat([Buffer.from(`name,price\n${rows}`), Buffer.from('Caf\xe9,4\n', 'latin1')]);
    const { cells, warnings, source } = await readText(bytes, {}, 65_536);
    expect(cells.at(-1)).toEqual(['Café', '4']);
    expect(warnings.map(({ message }) => message)).toEqual([
      `shop.csv is read as windows-1252 from its byte ${at} on, where its first letter beyond ASCII is: if letters are wrong, set the right encoding with --encoding.`,
    ]);
    expect(source.reading().encoding).toBe('windows-1252');
  });
});

test('an encoding that is found far down is announced once with its line, also if the file is read again', async () => {
  const file = join(temporaryFolder(), 'shop.csv');
  writeFileSync(file, Buffer.from(`name,price\n${'mug,3\n'.repeat(50_000)}Caf\xe9,4\n`, 'latin1'));
  const warnings: string[] = [];
  const source = await openSource(file, { onWarning: ({ message }) => void warnings.push(message) });
  const again = await source.reread?.open();
  for (const each of [again, source]) for await (const _ of each?.batches ?? []);
  expect(warnings).toEqual([
    expect.stringContaining(
      'shop.csv is read as windows-1252 from line 50002 (byte 300014) on, where its first',
    ),
  ]);
});

describe('bytes that are invalid in the encoding are an issue of their row', () => {
  test.each([
    ['windows-1252', Buffer.from('a,b\n1,x\x81y\n2,z\n', 'latin1')],
    [
      'shift_jis',
      Buffer.concat([iconv.encode('a,b\n1,日', 'shift_jis'), Buffer.from([0xfd, 10, 50, 44, 51])]),
    ],
    ['utf-16le', Buffer.from('a,b\n1,x\uD800y\n2,z\n', 'utf16le')],
    ['utf-16le', Buffer.concat([Buffer.from('a,b\n2,z\n1,x', 'utf16le'), Buffer.from([0x61])])],
  ])('%s', async (encoding, bytes) => {
    for (const size of [1, 3, Number.POSITIVE_INFINITY]) {
      const { rows } = await readText(bytes, { encoding }, size);
      expect(rows.length).toBe(2);
      expect(issuesOf(rows).map(([, , code]) => code)).toEqual(['bad-bytes']);
      const issue = rows.flatMap((row) => row.issues ?? [])[0];
      expect(issue?.message.toLowerCase()).toContain(
        `holds bytes that are not ${encoding} (shown as \uFFFD)`,
      );
    }
  });

  test('a replacement character in sound UTF-16 is not an issue', async () => {
    const { rows } = await readText(Buffer.from('\uFEFFa,b\n1,x\uFFFDy\n', 'utf16le'));
    expect(issuesOf(rows)).toEqual([]);
  });
});

test('--encoding takes precedence over detection; an unknown name is refused', async () => {
  const { header } = await readText(Buffer.from('Größe,b\n'), { encoding: 'latin1' });
  expect(header).toEqual(['GrÃ¶ÃŸe', 'b']);
  for (const encoding of ['klingon', 'base64', ''])
    await expect(readText('a,b\n', { encoding })).rejects.toThrow(`--encoding "${encoding}" is not known.`);
});

/** Letters that each of the encodings has, and characters with a meaning in CSV. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  'utf-8': ['é', '€', '日本', '😀', '\uFFFD'],
  'utf-16le': ['é', '€', '日本', '😀', '\uFFFD'],
  'utf-16be': ['é', '€', '日本', '😀', '\uFFFD'],
  'windows-1252': ['é', '€', 'ÿ', '™'],
  shift_jis: ['日本', 'ｶﾅ', '表', 'ソ'],
  gb18030: ['绿色', '😀'],
};

test('the output of csv-stringify is read back unchanged, in each encoding, packed or not, at any chunk size', async () => {
  const table = fc.constantFrom(...Object.keys(LETTERS)).chain((encoding) => {
    const piece = fc.constantFrom(
      '',
      'a',
      ' ',
      '"',
      ',',
      ';',
      '\n',
      '\r\n',
      "'",
      ...(LETTERS[encoding] ?? []),
    );
    const cell = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
    return fc.record({
      encoding: fc.constant(encoding),
      rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
    });
  });
  const options = {
    delimiter: fc.constantFrom(',', ';', '\t'),
    gzip: fc.boolean(),
    size: fc.integer({ min: 1, max: 30 }),
  };
  await fc.assert(
    fc.asyncProperty(table, fc.record(options), async ({ encoding, rows }, { delimiter, gzip, size }) => {
      const header = ['first', 'second', 'third'];
      const text = stringify([header, ...rows], {
        delimiter,
        quote_record_delimiter: true,
        quoted_string: true,
      });
      const plain = iconv.encode(text, encoding);
      const result = await readText(gzip ? gzipSync(plain) : plain, { encoding, delimiter }, size);
      expect(result.header).toEqual(header);
      expect(result.cells).toEqual(rows);
      expect(issuesOf(result.rows)).toEqual([]);
    }),
    { numRuns: scaledRuns(150) },
  );
});
