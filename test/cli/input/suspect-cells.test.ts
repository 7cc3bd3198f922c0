import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

const HEADER = 'reference,name,barcode,description\n';
const DAMAGED = `${HEADER}8.05E+12,Mug,4006381333932,CafÃ© au lait\nB-2,Jug,4006381333931,\nB-3,Th\uFFFDi\u00e8re,36000291452,\n`;
const MAPPING =
  'resource: products\nfields:\n  reference: reference\n  name: name\n  description: description\n  productType: { const: PHYSICAL }\n  model: barcode\n';

function folderWith(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

test('cells damaged by a spreadsheet or wrong encoding are named and imported unchanged', async () => {
  const cwd = folderWith({ 'p.csv': DAMAGED, 'p.yaml': MAPPING });
  const ended = await storeport(['validate', 'products', 'p.csv', '--mapping', 'p.yaml', '--out', 'out'], {
    cwd,
  });
  expect(ended.code).toBe(0);
  const { summary } = readReports(join(cwd, 'out'));
  expect(summary.outcomes).toEqual({ planned: 3 });
  const of = (code: string, column: string, row: number, text: string) => ({
    ...{ code, column, count: 1, cells: [{ row, text }] },
  });
  expect(summary.files).toMatchObject([
    {
      suspicious: [
        of('rounded', 'reference', 2, '8.05E+12'),
        of('decoded-twice', 'description', 2, 'Ã© for é'),
        of('wrong-check-digit', 'barcode', 2, '4006381333932'),
        of('lost-letter', 'name', 4, '\uFFFD'),
        of('lost-zero', 'barcode', 4, '36000291452'),
      ],
    },
  ]);
  expect(ended.stdout).toContain(
    'Cells that look damaged and are used unchanged:\n' +
      '       1 × rounded, column "reference": row 2 (8.05E+12)\n' +
      '           Numbers that a spreadsheet has rounded: their digits are lost.',
  );
});

test('column names that were decoded twice are reported, even if no mapping knows them', async () => {
  const cwd = folderWith({
    'p.csv': 'name,reference,productType,CatÃ©gorie\nMug,B-1,PHYSICAL,a\n',
    'q.csv': 'DÃ©signation,RÃ©fÃ©rence\nMug,B-1\n',
  });
  const known = await storeport(['validate', 'products', 'p.csv'], { cwd });
  expect(known.stderr).toContain(
    'Warning: Names of columns were decoded twice: "CatÃ©gorie" for "Catégorie".',
  );
  const unknown = await storeport(['validate', 'products', 'q.csv'], { cwd });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('"DÃ©signation" for "Désignation", "RÃ©fÃ©rence" for "Référence".');
});

test('an intact file has no suspect cells', async () => {
  const sound = `${HEADER}A-1,Café crème,4006381333931,ÉTÉ – “SÃO”\n`;
  const cwd = folderWith({ 'p.csv': sound, 'p.yaml': MAPPING });
  const ended = await storeport(['validate', 'products', 'p.csv', '--mapping', 'p.yaml', '--out', 'out'], {
    cwd,
  });
  expect(ended.stdout).not.toContain('damaged');
  expect(readReports(join(cwd, 'out')).summary.files[0]).not.toHaveProperty('suspicious');
});

test('unused columns are checked for damage if they are kept', async () => {
  const cwd = folderWith({ 'p.csv': DAMAGED, 'p.yaml': MAPPING.replace('  model: barcode\n', '') });
  const args = ['clean', 'products', 'p.csv', '--mapping', 'p.yaml', '--out', 'clean.csv', '--json'];
  const suspects = async (...more: string[]) => {
    const { stdout } = await storeport([...args, ...more], { cwd });
    return (JSON.parse(stdout) as { suspicious: { code: string }[] }).suspicious.map(({ code }) => code);
  };
  expect(await suspects()).toEqual(['rounded', 'decoded-twice', 'lost-letter']);
  expect(await suspects('--keep-columns')).toEqual([
    'rounded',
    'decoded-twice',
    'wrong-check-digit',
    'lost-letter',
    'lost-zero',
  ]);
});

test('JSON objects are checked for damage, also with escaped letters', async () => {
  const items = [
    { name: 'CafÃ©', reference: 'A-1', productType: 'PHYSICAL', tags: ['FranÃ§ais'] },
    { name: 'Mug', reference: '8.05E+12', productType: 'PHYSICAL' },
  ];
  const text = JSON.stringify(items);
  const escaped = text.replaceAll(
    /[^\0-~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const cwd = folderWith({ 'a.json': text, 'b.json': escaped });
  await storeport(['validate', 'products', 'a.json', 'b.json', '--out', 'out'], { cwd });
  const found = [
    { code: 'decoded-twice', column: 'name', cells: [{ row: 1, text: 'Ã© for é' }] },
    { code: 'decoded-twice', column: 'tags[]', cells: [{ row: 1, text: 'Ã§ for ç' }] },
    { code: 'rounded', column: 'reference', cells: [{ row: 2, text: '8.05E+12' }] },
  ];
  expect(readReports(join(cwd, 'out')).summary.files).toMatchObject([
    { suspicious: found },
    { suspicious: found },
  ]);
});

test('skipped and unread records are not checked for damage', async () => {
  const cwd = folderWith({ 'p.csv': DAMAGED, 'p.yaml': MAPPING });
  const args = ['validate', 'products', 'p.csv', '--mapping', 'p.yaml', '--out', 'out'];
  await storeport([...args, '--offset', '1'], { cwd });
  expect(readReports(join(cwd, 'out')).summary.files).toMatchObject([
    { suspicious: [{ code: 'lost-letter' }, { code: 'lost-zero' }] },
  ]);
  await storeport([...args, '--limit', '1'], { cwd });
  expect(readReports(join(cwd, 'out')).summary.files).toMatchObject([
    { suspicious: [{ code: 'rounded' }, { code: 'decoded-twice' }, { code: 'wrong-check-digit' }] },
  ]);
});

test('an import and its report list the same suspect cells', async () => {
  const cwd = folderWith({ 'p.csv': DAMAGED, 'p.yaml': MAPPING });
  await storeport(['import', 'products', 'p.csv', '--mapping', 'p.yaml', '--sandbox', '--out', 'out'], {
    cwd,
  });
  const { summary } = readReports(join(cwd, 'out'));
  expect(summary.files[0]).toHaveProperty('suspicious.4.code', 'lost-zero');
  rmSync(join(cwd, 'out'), { recursive: true });
  await storeport(['run', 'report', 'last'], { cwd });
  expect(readReports(join(cwd, 'out')).summary.files).toEqual(summary.files);
});

test('a resumed run counts each suspect cell once', async () => {
  // Without a name they are invalid, so nothing is sent; long, so that resuming reads on in the middle.
  const rows = Array.from(
    { length: 1600 },
    (_, index) => `${index % 10}.05E+12,${index},${'a mug '.repeat(40)}\n`,
  );
  const cwd = folderWith({
    'p.csv': `model,reference,description,name\n${rows.join('').replaceAll('\n', ',\n')}`,
  });
  const sandbox = await startSandbox();
  try {
    const to = { cwd, env: environmentOf(sandbox) };
    const stopped = await storeport(
      ['import', 'products', 'p.csv', '--max-errors', '1300', '--out', 'out'],
      to,
    );
    expect(stopped.code).toBe(3);
    await storeport(['run', 'resume', 'last'], to);
    const { summary } = readReports(join(cwd, 'out'));
    expect(summary.outcomes).toEqual({ invalid: 1600 });
    expect(summary.files).toMatchObject([
      { suspicious: [{ code: 'rounded', column: 'model', count: 1600 }] },
    ]);
  } finally {
    await sandbox.close();
  }
});
