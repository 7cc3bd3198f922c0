/**
 * The HTTP client alone: undici, the same bodies at the same concurrency. No file, no validation, no ledger.
 *
 *     node bare-creates.js <count> <concurrency>
 */
import { type Dispatcher, Pool } from 'undici';
import { payload } from '../products.ts';
import { accessToken, environment } from './token.ts';

const [count = 0, concurrency = 1] = process.argv.slice(2).map(Number);
const { url } = environment();
const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
const headers = ['content-type', 'application/json', 'x-auth-token', await accessToken()];
let next = 0;
let created = 0;

await new Promise<void>((resolve, reject) => {
  class Answer implements Dispatcher.DispatchHandler {
    private readonly chunks: Buffer[] = [];
    onRequestStart(): void {}
    onResponseStart(_: unknown, status: number): void {
      if (status !== 200) reject(new Error(`the store answered ${status}`));
    }
    onResponseData(_: unknown, chunk: Buffer): void {
      this.chunks.push(chunk);
    }
    onResponseEnd(): void {
      const { data } = JSON.parse(Buffer.concat(this.chunks).toString()) as { data: { _id: string } };
      if (data._id) created++;
      if (created === count) resolve();
      else send();
    }
    onResponseError(_: unknown, error: Error): void {
      reject(error);
    }
  }
  function send(): void {
    if (next === count) return;
    const body = JSON.stringify(payload(next++));
    pool.dispatch({ method: 'POST', path: '/api/products/create', headers, body }, new Answer());
  }
  for (let slot = 0; slot < concurrency; slot++) send();
});
await pool.close();
