import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';

const cli = cliForEachTest();

test('a run that stopped and whose reports cannot be written is continued by the command that it names', async () => {
  const out = join(cli.cwd, 'out');
  cli.sandbox.misbehave({ latency: '20ms' });
  cli.writeLines('in.csv', 'reference,name', ...Array.from({ length: 8 }, (_, n) => `M-${n},Mug ${n}`));
  const signal = interruptWhen(() => {
    if (cli.sends().length < 2) return false;
    // Nothing can be written into a folder that is a file by now.
    rmSync(out, { recursive: true, force: true });
    writeFileSync(out, '');
    return true;
  });
  const stopped = await cli.runWith(
    ['import', 'products', 'in.csv', '--out', 'out', '--concurrency', '1', '--json'],
    { signal },
  );
  expect(stopped.code).toBe(3);
  const { run, stopped: why } = JSON.parse(stopped.stdout);
  expect(why).toMatchObject({ reason: 'output-failed' });
  expect(why.message).toMatch(new RegExp(`: storeport run resume ${run}$`));
  expect(why.message).not.toContain('run report');

  rmSync(out);
  cli.sandbox.misbehave({});
  expect((await cli.run('run', 'resume', run)).code).toBe(0);
  expect(cli.reports('out').summary.outcomes).toEqual({ created: 8 });
});
