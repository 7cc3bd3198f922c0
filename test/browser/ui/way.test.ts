import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readTable, sample, temporaryFolder } from '../../support/run.ts';
import { startUiProcess } from '../../support/ui.ts';
import { addressesOfFile } from '../browser.ts';
import { endOfJob, expectQuiet, goOn, heading, watch } from './page.ts';

const open = addressesOfFile();

const UNKNOWN = [
  'Artikelnr;Bezeichnung;Preis;Bemerkung;Lager',
  'A-1;Füllfeder;"1.234,50";dünn;4',
  'A-2;Tinte;"7,00";;12',
  'A-3;Papier;"etwa 3";;1',
  '',
].join('\n');

/** From the file to the end of the import into a sandbox. */
async function wholeWay(page: Page, file: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file);
  await expect.poll(() => heading(page)).toBe('Is this how the file is meant to be read?');
  await page.waitForSelector('.cells tbody tr');
  await goOn(page, 'Match the columns');
  await expect.poll(() => heading(page)).toBe('Which column is which field?');
  await page.waitForSelector('.entry[data-field]');
  await goOn(page, 'Look at the records');
  await expect.poll(() => heading(page)).toBe('Is this what should be in the store?');
  await page.waitForSelector('.values dd');
  await goOn(page, 'See the plan');
  await expect.poll(() => heading(page)).toBe('What will happen?');
  await goOn(page, /^Create [\d,]+ products in the sandbox$/);
  await endOfJob(page);
}

test.each([
  ['shopify-products.csv', 'This is a Shopify product export.', '20 created'],
  ['woocommerce-products-german.csv', 'This is a WooCommerce product export', 'created'],
  ['magento2-products.csv', 'This is a Magento', 'created'],
])('the whole way of %s, by the buttons alone', async (name, recognised, outcome) => {
  const ui = await startUiProcess(temporaryFolder());
  const page = await open(ui.link);
  const watched = watch(page, ui.origin);
  await page.locator('input[type=file]').setInputFiles(sample(name));
  await expect.poll(() => page.locator('.panel').innerText()).toContain(recognised);
  await page.goto(ui.origin);
  await wholeWay(page, sample(name));
  expect(await page.locator('main').innerText()).toContain(outcome);
  await expectQuiet(watched);
});

test('the whole way of an unknown file: columns by keyboard, undo, a number, rows corrected in the grid', async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, 'artikel.csv');
  writeFileSync(file, UNKNOWN);
  const ui = await startUiProcess(cwd);
  const page = await open(ui.link);
  const watched = watch(page, ui.origin);
  await page.locator('input[type=file]').setInputFiles(file);
  await expect
    .poll(() => page.locator('.panel').innerText())
    .toContain('No known platform writes this file.');
  await goOn(page, 'Match the columns');

  // A field by the keyboard: search, arrow, Enter, then its column.
  await page.waitForSelector('.entry[data-field]');
  await page.keyboard.press('/');
  await page.keyboard.type('description');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const rule = page.getByRole('region', { name: 'Rule of description' });
  await rule.getByRole('combobox', { name: 'Column' }).fill('Bemerkung');
  await page.keyboard.press('Enter');
  await expect.poll(() => rule.innerText()).toContain('dünn');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rule.innerText()).not.toContain('dünn');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => rule.innerText()).toContain('dünn');
  // A column by the mouse: dragged to its field.
  await page.getByLabel('Search fields').fill('model');
  await page.locator('.entry[data-column="Lager"]').dragTo(page.locator('.entry[data-field="model"]'));
  await expect.poll(() => page.locator('.entry[data-field="model"]').innerText()).toContain('Lager');
  // A number, read as it is written.
  await page.getByLabel('Search fields').fill('price.salePrice');
  await page.locator('.entry[data-field="price.salePrice"]').click();
  const price = page.getByRole('region', { name: 'Rule of price.salePrice' });
  await price.getByRole('combobox', { name: 'Column' }).fill('Preis');
  await page.keyboard.press('Enter');
  await price.getByLabel('Numbers are written like').selectOption('1.234,50');
  await expect.poll(() => price.innerText()).toContain('1234.5');
  // The rule as text, live.
  await page.getByLabel('Search fields').fill('model');
  await page.locator('.entry[data-field="model"]').click();
  const model = page.getByRole('region', { name: 'Rule of model' });
  await model.getByRole('button', { name: 'As text' }).click();
  await model.getByLabel('Rule, in the mapping language').fill('{ template: "L{Lager}" }');
  await expect.poll(() => model.innerText()).toContain('L12');

  await goOn(page, 'Look at the records');
  await page.waitForSelector('.values dd');
  await page.getByRole('button', { name: 'Next with an issue' }).click();
  await expect.poll(() => page.locator('main').innerText()).toContain('"etwa 3"');
  await goOn(page, 'See the plan');
  await goOn(page, 'Create 2 products in the sandbox');
  expect(await endOfJob(page)).toContain('2 of 3 products arrived');
  await goOn(page, 'Correct 1 row');

  // The grid begins at the wrong cell.
  const wrong = page.locator('.grid .wrong-cell');
  await expect.poll(() => wrong.innerText()).toContain('etwa 3');
  await wrong.click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('3,00');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.grid .edited-cell').innerText()).toContain('3,00');
  await goOn(page, 'Check again');
  await expect.poll(() => page.locator('main').innerText()).toContain('1 record fits now');
  await goOn(page, /^Send 1 corrected row/);
  expect(await endOfJob(page)).toContain('arrived');

  // It wrote the mapping as a person would.
  const { value } = await ui.call<{ works: { id: string }[] }>('GET', '/start');
  const { value: mapping } = await ui.call<{ text: string; savedAs: string }>(
    'GET',
    `/works/${value.works[0]?.id}/mapping`,
  );
  expect(mapping.savedAs).toBe('artikel.mapping.yaml');
  expect(mapping.text).toContain('  description: Bemerkung\n');
  await expectQuiet(watched);
});

test('a word of the cells has no meaning until one is chosen', async () => {
  const cwd = temporaryFolder();
  const file = join(cwd, 'artikel.csv');
  writeFileSync(file, 'Nr;Name;Zustand\nA-1;Tea;aktiv\n');
  const ui = await startUiProcess(cwd);
  const page = await open(ui.link);
  await page.locator('input[type=file]').setInputFiles(file);
  await goOn(page, 'Match the columns');
  await page.getByLabel('Search fields').fill('status');
  await page.locator('.entry[data-field="status"]').click();
  const rule = page.getByRole('region', { name: 'Rule of status' });
  await rule.getByRole('combobox', { name: 'Column' }).fill('Zustand');
  await page.keyboard.press('Enter');
  await rule.getByLabel('Another word').fill('aktiv');
  expect(await rule.getByLabel('means').inputValue()).toBe('');
  expect(await rule.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  expect(await rule.getByRole('button', { name: 'Remove the word aktiv' }).count()).toBe(0);
  await rule.getByLabel('means').selectOption('PUBLISH');
  await rule.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => rule.getByRole('combobox', { name: 'aktiv' }).inputValue()).toBe('PUBLISH');
  expect(await rule.getByLabel('means').inputValue()).toBe('');
});

test('an export: choices, preview, file, earlier exports', async () => {
  const cwd = temporaryFolder();
  const ui = await startUiProcess(cwd);
  const page = await open(ui.link);
  const watched = watch(page, ui.origin);
  await page.getByRole('link', { name: 'Exports', exact: true }).click();
  await page.getByText(/^All \d+ columns$/).click();
  await page.getByLabel('content', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Show the first items' }).click();
  await expect.poll(() => page.locator('main').innerText()).toContain('First 10 items of 120 reviews');
  await goOn(page, 'Export reviews to reviews.csv');
  expect(await endOfJob(page)).toContain('120 reviews are in reviews.csv');
  const [first = {}] = readTable(join(cwd, 'reviews.csv'));
  expect(Object.keys(first)).toContain('rating');
  expect(Object.keys(first)).not.toContain('content');
  await goOn(page, 'See all exports');
  await expect.poll(() => page.locator('main').innerText()).toContain('120 reviews');
  await expectQuiet(watched);
});
