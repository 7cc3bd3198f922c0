/**
 * The sandbox in a process of its own. Reports when its first and its last product were created, by reading the count
 * a few hundred times a second, which does not slow down the store.
 *
 *     node store.js <reviews> <latency in ms>      first message: {url, clientId, clientSecret}
 */
import { startSandbox } from '../../../src/sandbox/index.ts';

const LOOK_EVERY_MS = 4;

const [reviews = 0, latency = 0] = process.argv.slice(2).map(Number);
const sandbox = await startSandbox({
  seed: { reviews },
  journal: false,
  ...(latency > 0 ? { faults: { latency: `${latency}ms` } } : {}),
});
let creates = 0;
let firstMs = 0;
let lastMs = 0;
setInterval(() => {
  const count = sandbox.count('products');
  if (count === creates) return;
  const now = performance.now();
  if (creates === 0) firstMs = now;
  lastMs = now;
  creates = count;
}, LOOK_EVERY_MS);

const { url, clientId, clientSecret } = sandbox;
process.on('message', () => process.send?.({ creates: sandbox.count('products'), ms: lastMs - firstMs }));
process.on('disconnect', () => process.exit());
process.send?.({ url, clientId, clientSecret });
