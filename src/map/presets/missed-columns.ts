/** A kind of data that a shop would miss, with the columns that have it. The mapping uses none of them. */
export interface MissedColumns {
  readonly kind: string;
  readonly columns: readonly string[];
}

/** A column with the cells of some rows that are not empty. */
export interface SampledColumn {
  readonly name: string;
  readonly isUsed: boolean;
  readonly cells: readonly string[];
}

interface Kind {
  readonly kind: string;
  /** Resources that have this kind of data. */
  readonly of: ReadonlySet<string>;
  /** Words of headers, in the languages of shop exports. */
  readonly words: readonly string[];
  /** Words that give a header another meaning. */
  readonly exceptWords?: readonly string[];
  /** True if a cell looks like such data. */
  readonly looksRight: (cell: string) => boolean;
}

const PRODUCTS = new Set(['products']);
/** Resources with names and addresses of people. */
const PEOPLE = new Set(['customers', 'suppliers', 'orders']);

const LETTERS = /\p{L}{2}/u;
const ADDRESS = /^(https?:)?\/\//i;
const FILE = /\.(jpe?g|png|gif|webp|avif|svg|bmp|tiff?)\b/i;
const NUMBER = /\d/;
const NOT_ZERO = /[1-9]/;
/** Digits with separators, and a currency sign or code at either end. */
const AMOUNT = /^[^\d\s]{0,4}\s?-?[\d.,' \u00a0\u202f]*\d\s?[^\d\s]{0,4}$/;
const isWord = (cell: string) =>
  LETTERS.test(cell) && !ADDRESS.test(cell) && !/^(true|false|yes|no)$/i.test(cell);

/**
 * Kinds of data that products and people cannot do without. Free texts, and figures that are settings of the old shop,
 * are not among them: people ignore a warning that is mostly wrong.
 */
const KINDS: readonly Kind[] = [
  {
    kind: 'images',
    of: PRODUCTS,
    words: list(
      'image images img photo picture pictures gallery foto fotos bild bilder imagen imagem immagin afbeelding',
      'obraz obrazk zdjeci изображени фото картинк gorsel resim billede kuva kuvat kep slika slike 画像 图片 圖片 صور',
    ),
    looksRight: (cell) => FILE.test(cell) || ADDRESS.test(cell),
  },
  {
    kind: 'categories',
    of: PRODUCTS,
    words: list(
      'category categories categor kategor collection collections rubrique rubrik департамент категори раздел kolekc',
      'カテゴリ 分类 分類 تصنيف',
    ),
    // Classes of taxes, of shipping and of customs are called categories too.
    exceptWords: list(
      'tax taxes vat gst shipping customs tariff commodity steuer mwst ust impuesto iva imposto imposta taxe tva btw moms vergi',
      'podatek vero ндс налог',
    ),
    looksRight: isWord,
  },
  {
    kind: 'prices',
    of: PRODUCTS,
    words: list(
      'price prices prix preis precio prezzo preco prijs prijzen cena ceny цена fiyat pris hinta 価格 价格 價格 سعر',
    ),
    looksRight: (cell) => AMOUNT.test(cell) && NOT_ZERO.test(cell),
  },
  {
    kind: 'stock',
    of: PRODUCTS,
    words: list(
      'stock inventory quantity qty bestand lagerbestand lagermenge menge existencias inventario cantidad estoque quantite',
      'quantita quantidade voorraad aantal ilosc stan запас количество остат stok lagersaldo antal skladem sklad 在庫 库存',
    ),
    exceptWords: list(
      'low min max minimal minimum maximum threshold alert warning status policy tracker increment',
    ),
    looksRight: (cell) => /^-?\d+([.,]\d+)?$/.test(cell) && NOT_ZERO.test(cell),
  },
  {
    kind: 'descriptions',
    of: PRODUCTS,
    words: list(
      'description beschreibung descripcion descrizione descricao beschrijving omschrijving opis описани aciklama',
      'beskrivning beskrivelse popis 説明 描述 وصف',
    ),
    exceptWords: list('meta seo google title'),
    looksRight: (cell) => cell.length > 20 && LETTERS.test(cell),
  },
  {
    kind: 'brands',
    of: PRODUCTS,
    words: list(
      'brand brands vendor manufacturer marke hersteller marca marque fabricant merk marka producent бренд производител',
    ),
    looksRight: isWord,
  },
  {
    kind: 'addresses',
    of: PEOPLE,
    words: list(
      'address street adress adres strasse direccion indirizzo endereco calle ulica адрес улица osoite city stadt ville ciudad',
      'citta cidade miasto город postcode postal postleitzahl plz 住所 地址 عنوان',
    ),
    exceptWords: list('mail email ip mac web url id'),
    looksRight: (cell) => LETTERS.test(cell) || NUMBER.test(cell),
  },
  {
    kind: 'phone numbers',
    of: PEOPLE,
    words: list(
      'phone telephone mobile cell telefon telefono telefone telefoon celular handy gsm телефон 電話 电话 هاتف',
    ),
    looksRight: (cell) => cell.replaceAll(/\D/g, '').length >= 6,
  },
  {
    kind: 'mail addresses',
    of: PEOPLE,
    words: list('mail email correo courriel почта メール 邮箱'),
    // A mail address has up to 254 characters.
    looksRight: (cell) => cell.length < 255 && /^\S+@\S+\.\S+$/.test(cell),
  },
];

/**
 * Kinds of data that the file has only in unused columns. If any column of a kind is used, nothing is missed: small
 * pictures beside large ones, or a price for dealers, are no loss.
 */
export function missedColumns(resource: string, columns: readonly SampledColumn[]): MissedColumns[] {
  const filled = columns.filter(({ cells }) => cells.length > 0);
  return KINDS.filter(({ of }) => of.has(resource)).flatMap((kind) => {
    const found = filled.filter((column) => isOf(kind, column));
    return found.length > 0 && !found.some(({ isUsed }) => isUsed)
      ? [{ kind: kind.kind, columns: found.map(({ name }) => name) }]
      : [];
  });
}

function isOf({ words, exceptWords = [], looksRight }: Kind, { name, cells }: SampledColumn): boolean {
  const parts = partsOf(name);
  if (!words.some((word) => isIn(word, parts)) || exceptWords.some((word) => parts.includes(word)))
    return false;
  return cells.filter(looksRight).length * 2 >= cells.length;
}

/** Splits a header into words: `SalePrice_EUR` → `sale`, `price`, `eur`, in lower case, without diacritics. */
function partsOf(name: string): string[] {
  return folded(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '');
}

/** Long words also match inside others (`Produktbilder`). Outside of Latin and Cyrillic script, all words do. */
function isIn(word: string, parts: readonly string[]): boolean {
  const isPart = word.length >= LONG || !/^[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(word);
  return parts.some((part) => part === word || (isPart && part.includes(word)));
}

const LONG = 5;

function list(...lines: string[]): string[] {
  return lines.join(' ').split(' ').map(folded);
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .toLowerCase();
}
