/**
 * The HTTP client alone: the same pages of reviews at the same concurrency, parsed, and nothing written.
 *
 *     node bare-pages.js <count> <page size> <concurrency>      prints {"rows", "ms"}
 */
import { Pool } from 'undici';
import { accessToken, environment } from './token.ts';

const [count = 0, pageSize = 1, concurrency = 1] = process.argv.slice(2).map(Number);
const pool = new Pool(environment().url, { connections: concurrency, pipelining: 1 });
const headers = { 'x-auth-token': await accessToken() };
const pages = Math.ceil(count / pageSize);
const startedAt = performance.now();
let next = 1;
let rows = 0;

async function fetchPages(): Promise<void> {
  while (next <= pages) {
    const path = `/api/reviews/search?page=${next++}&limit=${pageSize}`;
    const { body } = await pool.request({ method: 'GET', path, headers });
    rows += ((await body.json()) as { results: unknown[] }).results.length;
  }
}

await Promise.all(Array.from({ length: concurrency }, fetchPages));
console.log(JSON.stringify({ rows, ms: performance.now() - startedAt }));
await pool.close();
