import { expect, test } from 'vitest';
import { createOutage } from '../../../src/store/delivery/outage.ts';

test('a wait for an unreachable store ends once others reach it; a wait that the store asked for continues', async () => {
  const outage = createOutage({
    giveUpAfterMs: 60_000,
    now: () => 0,
    sleep: () => new Promise(() => {}),
    warn: () => {},
    onWait: undefined,
  });
  const woken: string[] = [];
  for (const untilBack of [true, false, true])
    outage
      .wait('refused the connection', 30_000, { sayAfterMs: 0, untilBack })
      .then(() => woken.push(untilBack ? 'could not reach it' : 'was asked to wait'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual([]);
  outage.usable();
  await new Promise((resolve) => setImmediate(resolve));
  expect(woken).toEqual(['could not reach it', 'could not reach it']);
});
