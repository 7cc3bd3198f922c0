import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();

test('what ends the reading of a file early is followed by its cures, in the text and in summary.json', async () => {
  const rows = Array.from({ length: 1_100 }, (_, n) => `"Mug" of ${n}" ml,M-${n}`);
  const { code, stdout } = await cli.importProducts(`name,reference\n${rows.join('\n')}\n`, 'out');
  expect(code).toBe(3);
  const hint = 'Name the right ones with --delimiter and --quote; --quote "" reads quotes as ordinary text.';
  expect(stdout).toMatch(
    /^Stopped early: in\.csv was not read beyond line 1002: .*\n {2}Name the right ones/m,
  );
  expect(stdout).toContain(`  ${hint}\n`);
  expect(cli.reports('out').summary.stopped).toMatchObject({
    reason: 'source-failed',
    hints: expect.arrayContaining([hint]),
  });
});
