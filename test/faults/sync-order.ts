import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeport } from './command.ts';
import { sentIn, sentTooEarly } from './order.ts';
import { writeProducts } from './products.ts';
import { startStore } from './store.ts';
import { momentsOf, TRACED } from './system-calls.ts';

/** True if strace is available. If not, prints why. */
export function hasStrace(): boolean {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  if (status !== 0)
    console.log('There is no strace here that may be used, so system calls cannot be looked at.');
  return status === 0;
}

/** Traces an import with strace; returns the references that were sent before their intent was synced. */
export async function checkOrder(records: number, concurrency: number): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-order-'));
  const store = await startStore();
  try {
    const trace = join(cwd, 'trace');
    writeProducts(join(cwd, 'in.csv'), records);
    const { code, said } = await storeport(
      ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', String(concurrency)],
      {
        cwd,
        environment: store.environment,
        under: [
          'env',
          'UV_USE_IO_URING=0',
          'strace',
          '-f',
          '-y',
          '-s',
          '2000000',
          '-o',
          trace,
          '-e',
          `trace=${TRACED}`,
        ],
      },
    );
    if (code !== 0) return [`the import ended with ${code}: ${said.trim()}`];
    const moments = momentsOf(readFileSync(trace, 'latin1'));
    const { references } = await store.facts();
    const sent = sentIn(moments);
    const syncs = moments.filter(({ what }) => what === 'synced').length;
    console.log(
      `${records} records, ${concurrency} at once: ${sent.length} creates after ${syncs} syncs of the log`,
    );
    const unseen = references.length - new Set(sent).size;
    return [
      ...(unseen === 0 ? [] : [`${unseen} creates were not seen in the trace`]),
      ...sentTooEarly(moments).map((reference) => `${reference} was sent before its intent was synced`),
    ];
  } finally {
    store.stop();
    rmSync(cwd, { recursive: true });
  }
}
