import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { TableFormat } from './table.ts';

/** How an array ends, and what one without items looks like: see `openTable`. */
export const ARRAY_END = '\n]\n';
export const EMPTY_ARRAY = '[]\n';

/**
 * The bytes of a table that was written before, without what ends it, so that items can be written behind them. What
 * is compressed comes unpacked.
 */
export async function* tableSoFar(path: string, format: TableFormat): AsyncGenerator<Buffer> {
  const end = format === 'json' ? ARRAY_END.length : 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytesOf(path)) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const cut = Math.max(0, bytes.length - end);
    if (cut > 0) yield bytes.subarray(0, cut);
    held = bytes.subarray(cut);
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  if (!/\.gz$/i.test(path)) return yield* file;
  const unpacked = createGunzip();
  // Its failure ends `unpacked`, which throws it.
  pipeline(file, unpacked).catch(() => {});
  yield* unpacked;
}
