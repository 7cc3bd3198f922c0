import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const SHOPIFY = `Handle,Title,Variant Price,Status,Fotos,Rubrique,Vendor
tee,T-shirt,19,active,https://shop.example.com/tee.jpg,Clothing,Tidewater Mill
cap,Cap,12,active,https://shop.example.com/cap.jpg,Clothing,
`;
const MAPPING = 'resource: products\nfields:\n  reference: Handle\n  name: Title\n';

function folderWith(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

test('data columns that a recognised preset leaves out are named before anything is sent', async () => {
  const cwd = folderWith({ 'p.csv': SHOPIFY });
  const { code, stderr } = await storeport(['validate', 'products', 'p.csv', '--out', 'out'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Warning: The mapping shopify-products does not use these columns, so they are not imported: images ("Fotos"), categories ("Rubrique").',
  );
  expect(stderr.split('\n').findIndex((line) => line.startsWith('Warning'))).toBeLessThan(6);
  const { summary } = readReports(join(cwd, 'out'));
  expect(summary.records).toBe(2);
  expect(summary.files).toMatchObject([
    {
      missed_columns: [
        { kind: 'images', columns: ['Fotos'] },
        { kind: 'categories', columns: ['Rubrique'] },
      ],
    },
  ]);
});

test('the native form names unused data columns too, also from standard input', async () => {
  const input = 'name,reference,Bilder\nMug,B-1,https://shop.example.com/mug.jpg\n';
  const { code, stderr } = await storeport(['validate', 'products', '-', '--out', 'out'], {
    cwd: temporaryFolder(),
    input,
  });
  expect(code).toBe(0);
  expect(stderr).toContain(
    'No field of the API has the name of these columns, so they are not imported: images ("Bilder").',
  );
});

test('unused data columns are not named if the user chose the mapping', async () => {
  const cwd = folderWith({ 'p.csv': SHOPIFY, 'p.yaml': MAPPING });
  const { stderr } = await storeport(['validate', 'products', 'p.csv', '--mapping', './p.yaml'], { cwd });
  expect(stderr).not.toContain('so they are not imported');
});
