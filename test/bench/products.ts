import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/**
 * The products of the benchmark: 12 columns in the native form, 240 bytes a row, as in real product files. Every
 * second cell is quoted, and one has a line break.
 */
const HEADER =
  'name,reference,description,status,tags,price.salePrice,price.comparePrice,quantity.instock,images.0.src,images.0.title,seo.title,html\n';

function row(n: number): string {
  return `Product number ${n},ref-${n},"A fine, quoted description of product ${n}",PUBLISH,kitchen|blue|new,${price(n)},${price(n) + 10},${n % 50},https://img.example.com/${n}.png,Front view,Product ${n} | Shop,"<p>Some <b>HTML</b> text\nover two lines for ${n}</p>"\n`;
}

function price(n: number): number {
  return (n % 200) + 0.5;
}

/** The payload of row `n`. */
export function payload(n: number) {
  return {
    name: `Product number ${n}`,
    reference: `ref-${n}`,
    description: `A fine, quoted description of product ${n}`,
    status: 'PUBLISH',
    tags: ['kitchen', 'blue', 'new'],
    price: { salePrice: price(n), comparePrice: price(n) + 10 },
    quantity: { instock: n % 50 },
    images: [{ src: `https://img.example.com/${n}.png`, title: 'Front view' }],
    seo: { title: `Product ${n} | Shop` },
    html: `<p>Some <b>HTML</b> text\nover two lines for ${n}</p>`,
  };
}

/** Writes the CSV of `count` products, from number `first` on, some megabytes at a time. */
export async function writeProducts(file: string, count: number, first = 0): Promise<void> {
  const out = createWriteStream(file);
  out.write(HEADER);
  let text = '';
  for (let n = first; n < first + count; n++) {
    text += row(n);
    if (text.length < 1_000_000) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'close');
}
