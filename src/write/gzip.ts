import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Sink } from './sink.ts';

/** Wraps a sink so that its bytes are compressed (RFC 1952). The same bytes give the same file. */
export function gzipped(sink: Sink): Sink {
  const gzip = createGzip();
  let failure: Error | undefined;
  // `copying` fails with the same error, and so does each later call.
  gzip.on('error', () => {});
  const copying = copy().catch((error: Error) => {
    failure = error;
    gzip.destroy();
  });

  async function copy(): Promise<void> {
    for await (const chunk of gzip) await sink.write(chunk as Buffer);
  }

  function check(): void {
    if (failure !== undefined) throw failure;
  }

  return {
    async write(chunk) {
      check();
      if (gzip.write(chunk)) return;
      await Promise.race([once(gzip, 'drain'), copying]);
      check();
    },
    async commit() {
      check();
      gzip.end();
      await copying;
      check();
      await sink.commit();
    },
    async abort() {
      gzip.destroy();
      await copying;
      await sink.abort();
    },
    isClosed: sink.isClosed,
  };
}
