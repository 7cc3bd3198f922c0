import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Position of the rows of a record: together, a hundredth of the records apart, or all rows apart. */
export type Arrangement = 'together' | 'some-apart' | 'all-apart';

/** Rows of a product. */
export const ROWS = 3;
/** Distance, in products, of a row that is apart from the others. */
const DISTANCE = 1000;

export const GROUPED_MAPPING = `resource: products
group: { by: Handle }
fields:
  reference: Handle
  name: Title
  html: Body
  price.salePrice: { from: Price, number: true, across: min }
  variants: { each: row, fields: { name: Size, sku: SKU, price.salePrice: { from: Price, number: true } } }
`;

/** Writes the rows of `records / 3` products, once for each arrangement. Resolves with the file. */
export async function writeGroups(
  folder: string,
  records: number,
  arrangement: Arrangement,
): Promise<string> {
  const file = join(folder, `groups-${records}-${arrangement}.csv`);
  if (existsSync(file)) return file;
  const out = createWriteStream(file);
  out.write('Handle,Title,Body,Size,SKU,Price\n');
  const products = Math.ceil(records / ROWS);
  for (let n = 0; n < products + DISTANCE; n++) {
    const rows = n < products ? [row(n, 0), row(n, 1)] : [];
    if (n < products && !isApart(n, arrangement)) rows.push(row(n, 2));
    const before = n - DISTANCE;
    if (before >= 0 && before < products && isApart(before, arrangement)) rows.push(row(before, 2));
    if (!out.write(rows.join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return file;
}

function isApart(product: number, arrangement: Arrangement): boolean {
  return arrangement === 'all-apart' || (arrangement === 'some-apart' && product % 100 === 0);
}

function row(product: number, index: number): string {
  const lead = `Product ${product},"<p>Some <b>HTML</b> text, quoted, of product ${product}</p>"`;
  return `product-${product},${index === 0 ? lead : ','},${'SML'[index]},sku-${product}-${index},${(product % 200) + index + 0.5}\n`;
}
