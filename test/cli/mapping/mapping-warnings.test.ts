import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const MAPPING = `resource: products
group: { by: reference }
fields:
  reference: reference
  name: name
  status:
    - { const: DRAFT, when: { price: { empty: true } }, warn: No price is a draft. }
    - { const: PUBLISH }
  variants:
    each: row
    fields:
      name: { from: size, default: One size, warn: 'A variant has a name.' }
      reference: { from: size, when: { size: [M] }, warn: M is rare. }
`;

test('a mapping warning counts each valid record once and names the first ones', async () => {
  const cwd = temporaryFolder();
  const rows = ['tee,Tee,9,S', 'tee,,,M', 'cap,Cap,,', ',Nobody,,', 'mug,Mug,,', 'jug,Jug,,', 'pen,Pen,,'];
  writeFileSync(join(cwd, 'p.csv'), `reference,name,price,size\n${rows.join('\n')}\n`);
  writeFileSync(join(cwd, 'p.yaml'), MAPPING);
  const args = ['p.csv', '--mapping', './p.yaml', '--out', 'out'];
  const { stdout } = await storeport(['validate', 'products', ...args], { cwd });
  expect(stdout).toContain(
    'Warning: No price is a draft. 4 records: cap (row 4), mug (row 6), jug (row 7) and 1 more.',
  );
  // The row of the cell, which is not the first one of its record.
  expect(stdout).toContain('Warning: M is rare. 1 record: tee (row 3).');
  expect(stdout).toContain('Warning: A variant has a name. 5 records: tee (row 2),');
  const drafts = [
    ['cap', 4],
    ['mug', 6],
    ['jug', 7],
    ['pen', 8],
  ].map(([key, row]) => ({ row, key }));
  expect(readReports(join(cwd, 'out')).summary.files).toMatchObject([
    {
      warnings: [{ count: 5 }, { count: 1 }, { message: 'No price is a draft.', count: 4, records: drafts }],
    },
  ]);
});
