import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createRateGate } from '../../../src/store/rate/rate-gate.ts';
import { withSharedLimit } from '../../../src/store/rate/shared-limit.ts';

const OPEN = { pause: async () => {} };

test('a request waits for the shared limit after its own', async () => {
  const waiting: (() => void)[] = [];
  const gate = withSharedLimit(createRateGate(OPEN), {
    permit: () => new Promise((resolve) => waiting.push(resolve)),
  });
  let isPermitted = false;
  const permit = Promise.resolve(gate.permit()).then(() => {
    isPermitted = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isPermitted).toBe(false);
  waiting[0]?.();
  await permit;
  expect(isPermitted).toBe(true);
});

test('no request waits for the shared limit after the end', async () => {
  const gate = withSharedLimit(createRateGate(OPEN), { permit: () => new Promise(() => {}) });
  const permit = gate.permit();
  gate.stop();
  await permit;
  await gate.permit();
});

test('a permit of both costs no turn', () => {
  const gate = withSharedLimit(createRateGate(OPEN), { permit: () => undefined });
  expect(gate.permit()).not.toBeInstanceOf(Promise);
});

test('requests that have their permit take no memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const gate = withSharedLimit(createRateGate(OPEN), { permit: () => Promise.resolve() });
  const ask = async () => {
    for (let request = 0; request < 50_000; request += 1) await gate.permit();
    return heap();
  };
  const before = await ask();
  expect((await ask()) - before).toBeLessThan(5_000_000);
});
