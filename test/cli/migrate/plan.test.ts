import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();

const STEP = 'import: products, files: p.csv';

/** Plans that are wrong, with what is said of them. */
const WRONG: readonly (readonly [plan: string, ...said: string[]])[] = [
  ['', 'A plan is an object'],
  ['steps: []', 'line 1, column 1: steps must be a list of at least one step'],
  ['title: x', 'steps must be a list'],
  [
    'titel: x\nsteps: [{ import: products, files: p.csv }]',
    'line 1, column 1: A plan has no "titel". Did you mean "title"?',
  ],
  ['title: [x]\nsteps: [{ import: products, files: p.csv }]', 'title must be text'],
  ['steps:\n  - products', 'line 2, column 5: A step is an object'],
  [
    'steps:\n  - import: product\n    files: p.csv',
    'line 2, column 5: import must be one of',
    'Did you mean "products"?',
  ],
  ['steps:\n  - import: reviews\n    files: p.csv', 'found "reviews"'],
  ['steps:\n  - files: p.csv', 'import must be one of'],
  ['steps:\n  - import: products', 'files is missing'],
  [
    'steps:\n  - import: products\n    files: q.csv',
    'line 3, column 5: There is no file "q.csv". Did you mean "p.csv"?',
  ],
  ['steps:\n  - import: products\n    files: [p.csv, "-"]', 'standard input cannot be one of them'],
  ['steps:\n  - import: products\n    files: [p.csv, p.csv]', '"p.csv" is named twice'],
  ['steps:\n  - import: products\n    files: [7]', 'files must have the name of a file'],
  [`steps:\n  - { ${STEP} }\n  - { ${STEP} }`, 'line 3, column 7: products have a step already, in line 2'],
  [`steps:\n  - { ${STEP}, mapping: ./mine.yaml }`, 'There is no mapping file "mine.yaml"'],
  [`steps:\n  - { ${STEP}, mapping: nothing-like-it }`, 'There is no mapping "nothing-like-it"'],
  [`steps:\n  - { ${STEP}, file: p.csv }`, 'A step has no "file". Did you mean "files"?'],
  [
    `steps:\n  - { ${STEP}, options: { modee: create } }`,
    'An import has no option "modee". Did you mean "mode"?',
  ],
  [
    `steps:\n  - { ${STEP}, options: { mode: creat } }`,
    'mode takes create, update or upsert; found "creat". Did you mean "create"?',
  ],
  [`steps:\n  - { ${STEP}, options: { limit: many } }`, 'limit takes a whole number from 1 on'],
  [`steps:\n  - { ${STEP}, options: { limit: [1, 2] } }`, 'limit takes one value'],
  [`steps:\n  - { ${STEP}, options: { set: [status] } }`, 'set takes path=value'],
  [
    `steps:\n  - { ${STEP}, options: { rate: 5 } }`,
    'it is for the whole migration: give --rate on the command line',
  ],
  [`steps:\n  - { ${STEP}, options: { allow-lookup: .. } }`, 'give --allow-lookup on the command line'],
  [`steps:\n  - { ${STEP}, options: { mapping: x } }`, 'it is a key of the step itself'],
  [`steps:\n  - { ${STEP}, options: [limit] }`, 'options must be an object'],
  ['steps: [', 'The plan plan.yaml has 1 mistake'],
];

test.each(WRONG)('a wrong plan is refused with its place: %j', async (plan, ...said) => {
  cli.writeLines('p.csv', 'name,reference', 'Pen,P1');
  writeFileSync(join(cli.cwd, 'plan.yaml'), plan);
  const { code, stdout, stderr } = await cli.run('migrate', 'plan.yaml');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const text of said) expect(stderr).toContain(text);
  expect(stderr).not.toContain('    at ');
  expect(cli.sandbox.journal).toEqual([]);
});

test('a circle of references is refused', async () => {
  cli.writeLines('p.csv', 'SKU,Other', 'P1,S1');
  cli.writeLines(
    'a.yaml',
    'resource: products',
    'fields:',
    '  name: SKU',
    '  reference: SKU',
    '  supplier._id: { from: Other, lookup: { from: suppliers } }',
  );
  cli.writeLines(
    'b.yaml',
    'resource: suppliers',
    'fields:',
    '  name: SKU',
    '  address1: { from: Other, lookup: { from: products } }',
  );
  cli.writeLines(
    'plan.yaml',
    'steps:',
    `  - { ${STEP}, mapping: ./a.yaml }`,
    '  - { import: suppliers, files: p.csv, mapping: ./b.yaml }',
  );
  const { code, stderr } = await cli.run('migrate', 'plan.yaml');
  expect(code).toBe(2);
  expect(stderr).toContain('The steps refer to each other in a circle');
});

test('reports never overwrite the plan or a file of a step', async () => {
  cli.writeLines('summary.json', '[{"name":"Pen","reference":"P1"}]');
  cli.writeLines('plan.yaml', 'steps: [{ import: products, files: summary.json }]');
  const { code, stderr } = await cli.run('migrate', 'plan.yaml', '--out', '.');
  expect(code).toBe(2);
  expect(stderr).toContain('which would be lost');
});

test('--schema prints a JSON Schema', async () => {
  const { code, stdout } = await cli.run('migrate', '--schema');
  expect(code).toBe(0);
  const step = JSON.parse(stdout).properties.steps.items;
  expect(step.required).toEqual(['import', 'files']);
  expect(step.properties.options.properties).toHaveProperty('mode.enum', ['create', 'update', 'upsert']);
});
