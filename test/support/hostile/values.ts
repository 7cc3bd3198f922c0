import type { Dice } from './dice.ts';

const split = (text: string) => text.split('  ');

/** Names of columns and keys. Two blanks separate them. */
export const NAMES = [
  ...split(
    'reference  name  price  stock  images  variants  options  productType  email  phone  Handle  Title',
  ),
  ...split(
    'Variant SKU  Variant Price  Image Src  Option1 Name  ID  Type  SKU  Parent  variants.0.price  images.0',
  ),
  ...split(
    'variants.1.options  json  storeport_error  storeport_run  storeport_outcome  storeport_key  row  key',
  ),
  ...split(
    '__proto__  constructor  toString  hasOwnProperty  valueOf  length  prototype  __proto__.a  a.__proto__',
  ),
  ...split(
    'constructor.prototype.x  a.b.c  a..b  .a  a.  0  -1  variants.999999999.price  images.-1  ä  =1+1',
  ),
  ...split(
    'categories  items.0.sku  _id  id  NaN  null  undefined  price.salePrice  price.salePrice.x  n\nm',
  ),
  ...['', ' ', '\ufeffname', '\u202ename', '\0', '\ud800', 'x'.repeat(300)],
];

/** Values of cells. Two blanks separate them. */
const VALUES = [
  ...split(
    'A1  Mug  12,50 €  1.299,90  1,299.90  -0  0  -1  1e400  1e999  -1e308  1e-400  9007199254740993  NaN',
  ),
  ...split(
    'Infinity  -Infinity  null  undefined  TRUE  ja  0x10  0b1  1_000  ١٢٣  １２  00123  +1  1e3  .5  5.',
  ),
  ...split(
    '123456789012345678901234567890  0.1234567890123456789  2024-02-30  0000-00-00  9999-12-31  31/12/2024',
  ),
  ...split('2024-01-01T25:61:00Z  -271821-04-20  +275760-09-13T00:00:00.001Z  12/31/1899  45000.5  tomorrow'),
  ...split(
    '=cmd|x  @x  -2+3|x  +38050  00380501234567  +000  (0)  +49 (0) 30 / 12-34  #REF!  #N/A  a|b|c  a;b  a,b',
  ),
  ...split(
    'https://example.com/a.png  http://[::1  https://  javascript:1  file:///etc/passwd  //x  data:,x  ../../x',
  ),
  ...split(
    'http://127.0.0.1/a.png  {{name}}  $[name]  %s%n  __proto__  constructor  toString  a > b > c  >  a:b|c:d',
  ),
  ...split(
    '[]  {}  [1,  {"__proto__":{"a":1}}  [{"src":"x"}]  {"a":{"b":{"c":[null]}}}  [[[]]]  {"constructor":1}',
  ),
  ...split(
    'PHYSICAL  a@b.c  a@b  @  a@b@c  "a b"@c.de  Doe, John  von  Mr.  Ltd  ACTIVE  aktiv  percent  100%  S, M',
  ),
  ...[
    '',
    ' ',
    '  ',
    "'",
    '"',
    '""',
    '\0',
    '\ufffd',
    '\u202e',
    '😀',
    '\ud800',
    '\udc00x',
    'Ã¼',
    'x\ny',
    'x\r',
  ],
  ...[
    '\u200b',
    '\u00a0',
    '\ufeff',
    '\u2028',
    'e\u0301',
    'ﷺ',
    '<b>x</b>',
    '<script>',
    '&amp;&#0;',
    '\x1b[31m',
  ],
];

/** Pieces that change the meaning of their surroundings. Two blanks separate them. */
export const PIECES = [
  ...split(
    '"  ""  ,  ;  |  \\  \'  [  ]  {  }  :  <  >  &  &lt;  &#0;  &#x110000;  </row>  <c>  <v>  ]]>  -',
  ),
  ...split(
    '<![CDATA[  <!--  <!DOCTYPE a [  \\u0000  \\ud800  \\x  1e400  null  },{  ],[  ":  ","a":  "__proto__":1,',
  ),
  ...['\n', '\r', '\r\n', '\0', '\t', '\ufeff', '\u2028', '\x1a'],
];

/** A value of a cell; seldom a long one. */
export function value(dice: Dice): string {
  if (dice.chance(0.01)) return dice.of(PIECES).repeat(dice.below(dice.chance(0.1) ? 5000 : 200));
  if (dice.chance(0.003)) return 'x'.repeat(dice.below(dice.chance(0.03) ? 1_500_000 : 40_000));
  if (dice.chance(0.003)) return `${dice.of(['[', '{"a":'])}`.repeat(dice.below(9000)).concat('1');
  if (dice.chance(0.05)) return dice.of(PIECES);
  return dice.chance(0.1) ? dice.of(VALUES) + dice.of(VALUES) : dice.of(VALUES);
}

/** JSON of a number that JavaScript cannot hold, or a text that is almost JSON. */
const RAW = split(
  '1e400  -0  -1e400  1e-400  123456789012345678901234567890  0.1234567890123456789012  01  NaN  +1',
);

/** A value as JSON text, up to some levels deep. */
export function jsonText(dice: Dice, depth = 0): string {
  if (dice.chance(0.03)) return dice.of(RAW);
  if (dice.chance(0.003)) return `${'[{"b":'.repeat(dice.below(300))}1`;
  if (dice.chance(0.003)) return nestedText(dice);
  if (depth > 4 || dice.chance(0.6))
    return dice.chance(0.7)
      ? JSON.stringify(value(dice))
      : dice.of(['0', '-1', '1.5', '1e300', 'null', 'true', 'false', '{}', '[]']);
  const items = dice.list(3, () => jsonText(dice, depth + 1));
  if (dice.chance(0.5)) return `[${items.join(',')}]`;
  return `{${items.map((item) => `${JSON.stringify(dice.of(NAMES))}:${item}`).join(',')}}`;
}

/** A value nested deeply, mostly with all its ends. */
function nestedText(dice: Dice): string {
  const depth = dice.below(dice.of([20, 600, 50_000]));
  const [begin, end] = dice.of([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return begin.repeat(depth) + (dice.chance(0.8) ? `1${end.repeat(depth)}` : '');
}
