import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MISSED } from '../../../src/model/index.ts';
import { openInputs } from '../../../src/pipeline/index.ts';
import { neverHeldIn } from '../../../src/pipeline/summary/summary.ts';
import { products } from '../../../src/resources/products.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, readReports, sample, storeport, temporaryFolder } from '../../support/run.ts';

const MAPPING = `resource: products
fields:
  reference: SKU
  name: Name
  price.salePrice:
    from: Price
    number: true
    when: { State: { is: live } }
  status:
    from: State
    map: { active: PUBLISH }
    else: DRAFT
  brand.name: { from: Brand, lookup: { file: brands.csv, key: Name, value: Code, else: NONE } }
  model:
    - { from: Kind, when: { Kind: a } }
    - { from: Kind, when: { Kind: b } }
  description: { from: Kind, when: Sale }
  productType: { const: PHYSICAL, when: { Weight: x }, else: DIGITAL }
  seo.title: { from: Name, when: { Sale: { matches: x } } }
`;
const FILE = 'SKU,Name,Price,State,Brand,Kind,Sale\nA,Tea,5,on,B,a,\nB,Tee,6,off,C,a,\n';

function folderWith(files: Record<string, string>): string {
  const cwd = temporaryFolder();
  const all = { 'm.yaml': MAPPING, 'p.csv': FILE, 'brands.csv': 'Name,Code\nZ,1\n', ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
  return cwd;
}

/** Fields of the rules that `validate` names, and the output of the terminal. */
async function named(cwd: string, ...args: string[]) {
  const files = args.some((each) => each.endsWith('.csv')) ? [] : ['p.csv'];
  const mapping = args.includes('--mapping') ? [] : ['--mapping', 'm.yaml'];
  const ended = await storeport(['validate', 'products', ...files, ...args, ...mapping, '--out', 'out'], {
    cwd,
  });
  expect(ended.stderr).not.toContain('Error');
  const { summary } = readReports(join(cwd, 'out'));
  const rules = (summary.never_held ?? []) as { field: string; line: number }[];
  return { ...ended, rules, fields: rules.map(({ field }) => field) };
}

describe('rules that never applied', () => {
  test('conditions, maps and lookups that never applied to filled cells are named with their lines', async () => {
    const { rules, stdout, code } = await named(folderWith({}));
    expect(code).toBe(0);
    expect(rules).toEqual([
      { field: 'price.salePrice', kind: 'condition', text: '{ State: { is: live } }', line: 8 },
      { field: 'status', kind: 'map', text: '{ active: PUBLISH }', line: 11 },
      {
        field: 'brand.name',
        kind: 'lookup',
        text: '{ file: brands.csv, key: Name, value: Code, else: NONE }',
        line: 13,
      },
    ]);
    expect(stdout).toContain(
      'Warning: rules of m.yaml applied to no record. Check them against the cells of the file:\n' +
        '  price.salePrice (line 8): the condition { State: { is: live } } never held.\n' +
        '  status (line 11): no cell has a word of map: { active: PUBLISH }; all took else.\n' +
        '  brand.name (line 13): lookup: { file: brands.csv',
    );
  });

  test('rules are reported if they never applied in any file', async () => {
    const other = FILE.replace('on,B', 'live,Z').replace('off', 'active');
    const cwd = folderWith({ 'q.csv': other });
    expect((await named(cwd, 'p.csv', 'q.csv')).fields).toEqual([]);
    expect((await named(cwd, 'p.csv', 'p.csv')).fields).toEqual(['price.salePrice', 'status', 'brand.name']);
  });

  test('rules are not reported if only a part of the file, or none of it, was read', async () => {
    const cwd = folderWith({ 'none.csv': `${FILE.split('\n')[0]}\n` });
    expect((await named(cwd, '--limit', '1')).fields).toEqual([]);
    expect((await named(cwd, '--offset', '1')).fields).toEqual([]);
    expect((await named(cwd, 'none.csv')).fields).toEqual([]);
  });

  test('rules of a preset are not reported, since few shops need all of them', async () => {
    const cwd = folderWith({});
    const file = sample('woocommerce-products.csv');
    const { stdout } = await storeport(['mapping', 'show', 'woocommerce-products'], { cwd });
    writeFileSync(join(cwd, 'mine.yaml'), stdout);
    expect((await named(cwd, file, '--mapping', 'woocommerce-products')).fields).toEqual([]);
    expect((await named(cwd, file, '--mapping', 'mine.yaml')).fields).toEqual(['quantity.instock']);
  });

  test('clean, import and run show report rules that never applied', async () => {
    const cwd = folderWith({});
    const cleaned = await storeport(
      ['clean', 'products', 'p.csv', '--mapping', 'm.yaml', '--out', 'c.csv', '--json'],
      { cwd },
    );
    expect(JSON.parse(cleaned.stdout)).toHaveProperty('never_held.2.field', 'brand.name');
    await storeport(['import', 'products', 'p.csv', '--mapping', 'm.yaml', '--sandbox'], { cwd });
    const report = await storeport(['run', 'report', 'last', '--json'], { cwd });
    expect(JSON.parse(report.stdout)).toHaveProperty('never_held.2.field', 'brand.name');
  });

  test('no rule is reported for reimported rows, since they are a selection', async () => {
    const cwd = folderWith({ 'p.csv': FILE.replace('Tea', '') });
    await storeport(['import', 'products', 'p.csv', '--mapping', 'm.yaml', '--sandbox', '--out', 'first'], {
      cwd,
    });
    expect((await named(cwd, 'first/errors.csv')).fields).toEqual([]);
  });
});

describe('resumed run', () => {
  // Without a name they are invalid, so nothing is sent; long, so that resuming reads on in the middle.
  const rows = Array.from({ length: 1600 }, (_, n) => `${n},,on,${'a mug '.repeat(40)}\n`);
  const mapping =
    'resource: products\nfields:\n  reference: SKU\n  name: Name\n  model: { from: More, when: { State: live } }\n';

  test.each([
    ['applied before it stopped', 0, []],
    ['applied after that', 1550, []],
    ['never applied', undefined, ['model']],
  ])('a resumed run counts a rule that %s', async (_when, live, fields) => {
    const all = rows.map((row, n) => (n === live ? row.replace(',on,', ',live,') : row));
    const cwd = folderWith({ 'p.csv': `SKU,Name,State,More\n${all.join('')}`, 'm.yaml': mapping });
    const sandbox = await startSandbox();
    try {
      const to = { cwd, env: environmentOf(sandbox) };
      const stopped = await storeport(
        ['import', 'products', 'p.csv', '--mapping', 'm.yaml', '--max-errors', '1300', '--out', 'out'],
        to,
      );
      expect(stopped.code).toBe(3);
      expect(readReports(join(cwd, 'out')).summary).not.toHaveProperty('never_held');
      await storeport(['run', 'resume', 'last'], to);
      const { summary } = readReports(join(cwd, 'out'));
      expect(summary.outcomes).toEqual({ invalid: 1600 });
      const rules = (summary.never_held ?? []) as { field: string }[];
      expect(rules.map(({ field }) => field)).toEqual(fields);
    } finally {
      await sandbox.close();
    }
  });

  test('a run resumed after a crash reports no rules, since their earlier use is unknown', async () => {
    const cwd = folderWith({ 'm.yaml': mapping });
    const { files: inputs } = await openInputs({
      ...{ resource: products, mode: 'upsert', files: [join(cwd, 'p.csv')], mapping: join(cwd, 'm.yaml') },
      ...{ constants: {}, read: {}, counted: [{ file: 'in.csv' }], onWarning: () => {} },
    });
    const rules = inputs.flatMap(({ binding }) => binding.ruleUses());
    expect(neverHeldIn([{ rules: rules.map((rule) => ({ ...rule, use: rule.use | MISSED })) }])).toEqual([]);
    await Promise.all(inputs.map(({ source }) => source.close()));
  });
});
