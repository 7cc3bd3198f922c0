import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import type {
  DoubtsView,
  ExportCommand,
  ExportPreview,
  MappingView,
  RecordsView,
  StartView,
} from '../../../src/ui/api/index.ts';
import { readTable, sample, storeport, temporaryFolder } from '../../support/run.ts';
import { startUi } from '../../support/ui.ts';
import { storedReferences, uiWithStore, writeProducts } from '../../support/ui-store.ts';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

test('doubts are settled by a person, and what is not there is sent by a retry', async () => {
  const { ui, sandbox, agreed } = await uiWithStore(cwd, { faults: { 'late-reset': '#2,#4@create' } });
  writeProducts(cwd, 6);
  const { id } = await ui.open('products.csv');
  const { run = '', end } = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
  expect(end?.result?.outcomes).toEqual({ created: 4, 'in-doubt': 2 });
  const { value } = await ui.call<DoubtsView>('GET', `/runs/${run}/doubts`);
  expect(value).toMatchObject({ total: 2, canAsk: true });
  const asked = await ui.finish({ kind: 'ask-store', run, agreed });
  expect(asked.end?.failure).toBeUndefined();
  const left = await ui.call<DoubtsView>('GET', `/runs/${run}/doubts`);
  expect(left.value.total).toBe(0);
  expect(new Set(storedReferences(sandbox)).size).toBe(6);
});

test('an import is undone from the page', async () => {
  const { ui, sandbox, agreed } = await uiWithStore(cwd);
  writeProducts(cwd, 4);
  const { id } = await ui.open('products.csv');
  const { run = '' } = await ui.finish({ kind: 'import', work: id, store: 'environment', agreed });
  const refused = await ui.call('POST', '/jobs', { kind: 'undo', run, agreed: 'http://other.example' });
  expect(refused.text).toContain('Nothing was sent');
  const undone = await ui.finish({ kind: 'undo', run, agreed });
  expect(undone.end).toMatchObject({ exitCode: 0 });
  const states = (sandbox.records('products') as JsonObject[]).map(({ status }) => status);
  expect(states).toEqual(['TRASH', 'TRASH', 'TRASH', 'TRASH']);
});

test('an export is previewed and written, with its line for cron', async () => {
  const { ui } = await uiWithStore(cwd, { seed: 40 });
  const choice = { resource: 'reviews', store: 'environment', format: 'csv', columns: ['_id', 'rating'] };
  const preview = await ui.call<ExportPreview>('POST', '/exports/preview', choice);
  expect(preview.value).toMatchObject({ columns: ['_id', 'rating'], total: 40 });
  expect(preview.value.rows).toHaveLength(10);
  const { value: line } = await ui.call<ExportCommand>('POST', '/exports/command', {
    ...choice,
    out: 'r.csv',
  });
  expect(line.cron).toMatch(
    /^15 3 \* \* \* cd \S+ && storeport export reviews .* --quiet >> export\.log 2>&1$/,
  );
  const job = await ui.finish({ ...choice, kind: 'export', out: 'r.csv' } as never);
  expect(job.end).toMatchObject({ exitCode: 0, result: { items: 40 } });
  expect(readTable(join(cwd, 'r.csv'))).toHaveLength(40);
  const { value } = await ui.call<StartView>('GET', '/start');
  expect(value.exports).toMatchObject([{ file: 'r.csv', items: 40, exists: true }]);
  const twice = await ui.call('POST', '/jobs', { ...choice, kind: 'export', out: 'r.csv' });
  expect(twice.text).toContain('exists already');
});

test.each([
  ['shopify-products.csv', 'preset'],
  ['woocommerce-products-german.csv', 'preset'],
  ['unknown.csv', 'suggestion'],
])('a file becomes records on the page as in a check: %s', async (name, kind) => {
  const ui = await startUi(cwd);
  if (name === 'unknown.csv')
    writeFileSync(join(cwd, name), 'Artikelnr;Bezeichnung;Preis\nA-1;Stift;"1.234,50"\nA-2;Tinte;"7,00"\n');
  else copyFileSync(sample(name), join(cwd, name));
  const { id, mapping, resource } = await ui.open(name);
  expect({ resource, kind: mapping?.kind }).toEqual({ resource: 'products', kind });
  const { value: view } = await ui.call<MappingView>('GET', `/works/${id}/mapping`);
  expect(view.missing).toEqual([]);
  const edited = await ui.call<MappingView>('POST', `/works/${id}/mapping`, {
    op: 'constant',
    field: 'brand.name',
    value: 'ACME',
  });
  expect(edited.value).toMatchObject({ faults: [], canUndo: true });
  const { value: records } = await ui.call<RecordsView>('GET', `/works/${id}/records?count=50`);
  const check = await ui.finish({ kind: 'check', work: id });
  const { saved } = { saved: check.command.match(/--mapping (\S+)/)?.[1] ?? '' };
  expect(existsSync(join(cwd, saved))).toBe(true);
  expect(readFileSync(join(cwd, saved), 'utf8')).toContain('ACME');
  const [, ...words] = check.command.split(' ');
  const again = await storeport([...words, '--show', '50', '--json'], { cwd });
  const { shown } = JSON.parse(again.stdout) as { shown: JsonObject[] };
  expect(records.records.map(({ payload }) => payload)).toEqual(shown.map(({ payload }) => payload));
  // Rows that cannot be read have no payload.
  const made = records.records.filter(({ payload }) => Object.keys(payload).length > 0);
  expect(made.length).toBeGreaterThan(1);
  expect(made.every(({ payload }) => (payload.brand as JsonObject | undefined)?.name === 'ACME')).toBe(true);
});
