/**
 * A short script for the same job: csv-parse, zod, p-limit and fetch. No ledger, no report, no retry; an error ends
 * it.
 *
 *     node script.js <file> <concurrency>
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import pLimit from 'p-limit';
import * as z from 'zod';
import { accessToken, environment } from './token.ts';

const product = z.object({
  name: z.string().min(1),
  reference: z.string().min(1),
  description: z.string().optional(),
  status: z.enum(['DRAFT', 'PUBLISH', 'TRASH']),
  tags: z.array(z.string()),
  price: z.object({ salePrice: z.number(), comparePrice: z.number() }),
  quantity: z.object({ instock: z.number() }),
  images: z.array(z.object({ src: z.url(), title: z.string() })),
  seo: z.object({ title: z.string() }),
  html: z.string(),
});

const [file = '', concurrency = '1'] = process.argv.slice(2);
const { url } = environment();
const token = await accessToken();
const limit = pLimit(Number(concurrency));
const ids: string[] = [];

async function create(body: unknown): Promise<void> {
  const answer = await fetch(`${url}/api/products/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the store answered ${answer.status}`);
  const { data } = (await answer.json()) as { data: { _id: string } };
  ids.push(data._id);
}

const sends: Promise<void>[] = [];
const rows = createReadStream(file).pipe(parse({ columns: true })) as AsyncIterable<Record<string, string>>;
for await (const row of rows) {
  const body = product.parse({
    name: row.name,
    reference: row.reference,
    description: row.description,
    status: row.status,
    tags: row.tags?.split('|'),
    price: { salePrice: Number(row['price.salePrice']), comparePrice: Number(row['price.comparePrice']) },
    quantity: { instock: Number(row['quantity.instock']) },
    images: [{ src: row['images.0.src'], title: row['images.0.title'] }],
    seo: { title: row['seo.title'] },
    html: row.html,
  });
  sends.push(limit(create, body));
}
await Promise.all(sends);
