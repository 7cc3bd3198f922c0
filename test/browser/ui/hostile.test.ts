import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/run.ts';
import { startUiProcess } from '../../support/ui.ts';
import { addressesOfFile } from '../browser.ts';
import { expectQuiet, heading, showScreen, watch } from './page.ts';

const open = addressesOfFile();

const MARKUP = '<script>window.__ran = true</script><img src=x onerror="window.__ran = true">';
const REVERSED = 'pen\u202egnp.exe\u200f عربي \u{1f58b}\ufe0f\u{1f469}\u200d\u{1f467}';
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

test('markup, 10,000 columns, a cell of 10 MB and text that runs backwards stay text', async () => {
  const cwd = temporaryFolder();
  const names = Array.from({ length: 10_000 }, (_, n) =>
    n === 0 ? 'name' : n === 1 ? 'reference' : n === 2 ? MARKUP : `Column ${n}`,
  );
  const row = (n: number) =>
    names.map((_, column) =>
      quoted(column === 0 ? MARKUP : column === 1 ? `R-${n}` : column === 2 ? REVERSED : `c${column}`),
    );
  const rows = Array.from({ length: 20 }, (_, n) => row(n).join(','));
  const long = [
    quoted('x'.repeat(10 * 1024 * 1024)),
    '"LONG"',
    ...Array.from({ length: 9998 }, () => ''),
  ].join(',');
  writeFileSync(
    join(cwd, `${MARKUP.replaceAll(/[/"]/g, '')}.csv`),
    [names.map(quoted).join(','), ...rows, long, ''].join('\n'),
  );
  const ui = await startUiProcess(cwd);
  const { id } = await ui.open(`${MARKUP.replaceAll(/[/"]/g, '')}.csv`);
  const page = await open(ui.link);
  const watched = watch(page, ui.origin);
  for (const screen of ['file', 'columns', 'records', 'plan']) {
    await showScreen(page, 'work', id, screen);
    await page.waitForTimeout(1500);
    expect(await page.evaluate('window.__ran')).toBeUndefined();
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
  }
  await showScreen(page, 'work', id, 'records');
  await expect.poll(() => page.locator('main').innerText()).toContain(MARKUP);
  // Cells that no field reads are folded, since there are thousands.
  await page
    .getByRole('button', { name: /cells that no field reads$/ })
    .first()
    .click();
  // The mark that turns text around is shown as its escape.
  const text = await page.locator('main').innerText();
  expect(text).toContain('\\u202e');
  expect(text).not.toContain('\u202e');
  expect(await heading(page)).toBe('Is this what should be in the store?');
  await expectQuiet(watched);
});
