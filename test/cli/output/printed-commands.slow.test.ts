import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { interruptWhen } from '../../support/interrupt.ts';
import {
  commandsIn,
  commandsOfPage,
  expectToRun,
  type Printed,
  shellWords,
} from '../../support/printed-commands.ts';
import type { Ended } from '../../support/run.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

// Runs every command that is printed in these situations, in the same folder, as a shell would pass it.

const cli = cliForEachTest();

interface Situation {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Runs before the command whose printed commands count. */
  readonly before?: () => Promise<unknown>;
  /** Words of the command, as in a shell; or a function that runs it. */
  readonly run: string | (() => Promise<Ended>);
  readonly code: number;
  /** Folder of its reports, whose page is read too. */
  readonly out?: string;
  /** Runs between the command and those that it printed, such as a person who corrects a file. */
  readonly between?: () => unknown;
  /** All commands that are printed, in order. They run one after another. */
  readonly prints: readonly Printed[];
  readonly after?: () => unknown;
}

const words = (line: string) => shellWords(line) ?? [];
const shell = (line: string) => cli.run(...words(line));
const write = (name: string, text: string) => writeFileSync(join(cli.cwd, name), text);
const sheet = (...rows: string[][]) => rows.map((cells, at) => textRow(at + 1, ...cells)).join('');

const SHOP = 'SKU,Title,Price\nA,Mug,3\nB,Cup,4\n';
const TITLED = `Price list,,\n${SHOP}`;
const NATIVE = 'name,reference\nMug,A\nCup,B\n';
const ONE_WRONG = 'name,reference\nMug,A\n,B\n';
const MAPPING =
  'resource: products\nfields: { name: Title, reference: SKU, price.salePrice: { from: Price, number: true } }\n';
const SHOPIFY_CUSTOMERS =
  'First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags\nAnn,Lee,ann@example.com,no,,,,,,,,,,no,0,0,,no,\n';
const CHANGES =
  'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,SKU,HS Code,COO,Location,Incoming,Unavailable,Committed,Available,On hand\nring,Ring,Title,Default Title,,,,,R1,,,Main St,0,0,0,1,1\n';
const NOTES_FIRST = () =>
  makeWorkbook({
    sheets: [
      { name: 'Read me', rows: sheet(['How to fill in'], ['Use the other sheet']) },
      { name: "Ann's list", rows: sheet(['name', 'reference'], ['Mug', 'A']) },
    ],
  });

const importing = (line = '') => shell(`import products in.csv --out out ${line}`);
const interrupted = (line: string) => {
  cli.sandbox.misbehave({ latency: '20ms' });
  return cli.runWith(words(line), { signal: interruptWhen(() => cli.sends().length >= 1) });
};
const calm = () => cli.sandbox.misbehave({});
const MANY = `name,reference\n${Array.from({ length: 8 }, (_, n) => `Mug ${n},M-${n}\n`).join('')}`;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  // Files that no mapping knows.
  'an import of an unknown file': {
    files: { 'in.csv': SHOP },
    run: 'import products in.csv',
    code: 2,
    prints: [['storeport mapping suggest products in.csv --out products.yaml', 0]],
    after: () => expect(existsSync(join(cli.cwd, 'products.yaml'))).toBe(true),
  },
  'a check of an unknown file with a home and a delimiter, beside a mapping': {
    files: { 'my in.csv': SHOP.replaceAll(',', ';'), 'products.yaml': MAPPING },
    run: "validate products 'my in.csv' --delimiter ';' --home 'my home'",
    code: 2,
    prints: [
      [
        "storeport mapping suggest products 'my in.csv' --delimiter ';' --out products-2.yaml --home 'my home'",
        0,
      ],
    ],
  },
  'a clean-up of an unknown file': {
    files: { '-in.csv': SHOP },
    run: 'clean products -- -in.csv',
    code: 2,
    prints: [['storeport mapping suggest --out products.yaml -- products -in.csv', 0]],
  },
  'a suggestion that is printed': {
    files: { 'in.csv': SHOP },
    run: 'mapping suggest products in.csv',
    code: 0,
    prints: [
      ['storeport mapping suggest products in.csv --out products.yaml', 0],
      ['storeport validate products in.csv --mapping ./products.yaml', 0],
    ],
  },
  'a suggestion that is written, for a file with another form': {
    files: { 'in.csv': TITLED.replaceAll(',', ';') },
    run: "mapping suggest products in.csv --out 'my shop.yaml' --skip-lines 1 --delimiter ';' --encoding windows-1252",
    code: 0,
    prints: [
      [
        "storeport validate products in.csv --skip-lines 1 --delimiter ';' --encoding windows-1252 --mapping './my shop.yaml'",
        0,
      ],
    ],
  },
  'a suggestion that lacks a field, once the field is added': {
    files: { 'in.csv': 'SKU,Price\nA,3\n' },
    run: 'mapping suggest products in.csv --out products.yaml',
    code: 0,
    between: () =>
      write('products.yaml', `${readFileSync(join(cli.cwd, 'products.yaml'), 'utf8')}  name: SKU\n`),
    prints: [['storeport validate products in.csv --mapping ./products.yaml', 0]],
  },
  'a suggestion that lacks a field, if nothing is added': {
    files: { 'in.csv': 'SKU,Price\nA,3\n' },
    run: 'mapping suggest products in.csv --out products.yaml',
    code: 0,
    prints: [['storeport validate products in.csv --mapping ./products.yaml', 2]],
  },
  'a suggestion for identifiers of another system': {
    files: { 'in.csv': '_id,SKU,Title\nproduct.1,A,Mug\n' },
    run: 'mapping suggest products in.csv --out products.yaml',
    code: 0,
    prints: [['storeport validate products in.csv --mapping ./products.yaml --mode create', 0]],
  },
  'lines above a header that a mapping needs': {
    files: { 'in.csv': TITLED, 'm.yaml': MAPPING },
    run: 'import products in.csv --mapping ./m.yaml --sandbox --limit 1 --skip-lines 0',
    code: 2,
    prints: [['storeport import products in.csv --mapping ./m.yaml --sandbox --limit 1 --skip-lines 1', 0]],
  },
  'lines above a header, where none is expected': {
    files: { 'in.csv': `Prices\n\n${TITLED}` },
    run: 'mapping suggest products in.csv --skip-lines 1 --out m.yaml',
    code: 2,
    prints: [['storeport mapping suggest products in.csv --skip-lines 3 --out m.yaml', 0]],
  },
  'a file without a header, and a mapping that names its columns': {
    files: {
      'in.csv': 'A1,Mug,3.50\nA2,Cup,4.00\n',
      'm.yaml': 'resource: products\nfields: { reference: A, name: B }\n',
    },
    run: 'validate products in.csv --mapping ./m.yaml',
    code: 2,
    prints: [['storeport validate products in.csv --mapping ./m.yaml --no-header', 0]],
  },
  'a sheet of a file that is no workbook': {
    files: { 'in.csv': NATIVE },
    run: 'validate products in.csv --sheet Stock',
    code: 2,
    prints: [['storeport validate products in.csv', 0]],
  },
  'a delimiter of a workbook': {
    run: async () => {
      const rows = sheet(['name', 'reference'], ['Mug', 'A']);
      writeFileSync(join(cli.cwd, 'in.xlsx'), await makeWorkbook({ rows }));
      return shell("validate products in.xlsx --delimiter ';' --encoding utf-8");
    },
    code: 2,
    prints: [['storeport validate products in.xlsx', 0]],
  },
  'lines above objects': {
    files: { 'in.json': '[{"name":"Mug","reference":"A"}]' },
    run: 'validate products in.json --skip-lines 1',
    code: 2,
    prints: [['storeport validate products in.json', 0]],
  },
  'a look-up in another folder': {
    files: { 'in.csv': 'SKU,Title\nA,Mug\n' },
    before: async () => {
      mkdirSync(join(cli.cwd, 'maps'));
      mkdirSync(join(cli.cwd, 'my data'));
      write('my data/brands.csv', 'key,value\nMug,Acme\n');
      write(
        'maps/m.yaml',
        'resource: products\nfields:\n  name: Title\n  reference: SKU\n  brand.name: { from: Title, lookup: { file: ../my data/brands.csv, key: key, value: value } }\n',
      );
    },
    run: 'validate products in.csv --mapping ./maps/m.yaml',
    code: 2,
    prints: [
      ["storeport validate products in.csv --mapping ./maps/m.yaml --allow-lookup 'FOLDER/my data'", 0],
    ],
  },
  'a workbook whose first sheet is not the data': {
    run: async () => {
      writeFileSync(join(cli.cwd, 'in.xlsx'), await NOTES_FIRST());
      return shell('import products in.xlsx --sandbox');
    },
    code: 2,
    prints: [["storeport import products in.xlsx --sandbox --sheet 'Ann'\\''s list'", 0]],
  },
  'a suggestion for a workbook whose first sheet is not the data': {
    run: async () => {
      writeFileSync(join(cli.cwd, 'in.xlsx'), await NOTES_FIRST());
      return shell('mapping suggest products in.xlsx --out m.yaml');
    },
    code: 2,
    prints: [["storeport mapping suggest products in.xlsx --out m.yaml --sheet 'Ann'\\''s list'", 0]],
  },
  'a workbook whose first sheet is empty': {
    run: async () => {
      const sheets = [
        { name: 'Sheet1', rows: '' },
        { name: 'Stock', rows: sheet(['name', 'reference'], ['Mug', 'A']) },
      ];
      writeFileSync(join(cli.cwd, 'in.xlsx'), await makeWorkbook({ sheets }));
      return shell('validate products in.xlsx');
    },
    code: 2,
    prints: [['storeport validate products in.xlsx --sheet Stock', 0]],
  },
  'a sheet that a workbook does not have': {
    run: async () => {
      writeFileSync(join(cli.cwd, 'in.xlsx'), await NOTES_FIRST());
      return shell("validate products in.xlsx --sheet 'Anns list'");
    },
    code: 2,
    prints: [
      ["storeport validate products in.xlsx --sheet 'Read me'", 2],
      ["storeport validate products in.xlsx --sheet 'Ann'\\''s list'", 0],
    ],
  },
  'a file of changes that is imported without its mode': {
    files: { 'in.csv': CHANGES },
    run: 'validate products in.csv --out checked',
    code: 2,
    prints: [['storeport validate products in.csv --out checked --mode update', 1]],
  },
  'a file of another resource': {
    files: { 'in.csv': SHOPIFY_CUSTOMERS },
    run: 'import products in.csv --sandbox --rate 50',
    code: 2,
    prints: [['storeport import customers in.csv --sandbox --rate 50', 0]],
  },
  'a mapping of another resource': {
    files: {
      'in.csv': 'First,Mail\nAnn,ann@example.com\n',
      'm.yaml': 'resource: customers\nfields: { firstname: First, lastname: First, email: Mail }\n',
    },
    run: 'validate products in.csv --mapping ./m.yaml',
    code: 2,
    prints: [['storeport validate customers in.csv --mapping ./m.yaml', 0]],
  },
  'an export mapping of another resource': {
    files: { 'm.yaml': 'resource: reviews\nexport: { Stars: rating }\n' },
    run: 'export images --mapping ./m.yaml --out r.csv',
    code: 2,
    prints: [['storeport export reviews --mapping ./m.yaml --out r.csv', 0]],
  },
  'an export mapping in an import': {
    files: { 'in.csv': NATIVE, 'm.yaml': 'resource: reviews\nexport: { Stars: rating }\n' },
    run: 'import products in.csv --mapping ./m.yaml',
    code: 2,
    prints: [['storeport export reviews --mapping ./m.yaml', 0]],
  },
  'an import mapping in an export': {
    files: { 'm.yaml': MAPPING },
    run: 'export products --mapping ./m.yaml',
    code: 2,
    prints: [],
  },
  'columns that are no fields': {
    files: { 'in.csv': 'name,reference,Brand\nMug,A,Acme\n' },
    run: 'validate products in.csv --out checked',
    code: 0,
    prints: [['storeport mapping suggest products in.csv --out products.yaml', 0]],
  },
  'columns that a preset does not use': {
    files: {
      'in.csv': 'name,slug,optionGroups,optionValues,sku,price,stockOnHand,Brand\nMug,mug,,,A,3,1,Acme\n',
    },
    run: 'validate products in.csv --out checked',
    code: 0,
    prints: [['storeport mapping show vendure-products', 0]],
  },

  // Options that a command lacks.
  '--show without --dry-run': {
    files: { 'in.csv': NATIVE },
    run: 'import products in.csv --show 1 --set status=DRAFT',
    code: 2,
    prints: [['storeport import products in.csv --show 1 --set status=DRAFT --dry-run', 0]],
  },
  '--canary without a terminal': {
    files: { 'in.csv': NATIVE },
    run: 'import products in.csv --canary 1',
    code: 2,
    prints: [['storeport import products in.csv --canary 1 --yes', 0]],
  },
  'an undo without a terminal': {
    files: { 'in.csv': NATIVE },
    before: () => importing('--home led'),
    run: 'run undo --home led',
    code: 2,
    prints: [['storeport run undo --home led --yes', 0]],
    after: () => expect(cli.products().map(({ status }) => status)).toEqual(['TRASH', 'TRASH']),
  },
  'a prune without an age': {
    files: { 'in.csv': NATIVE },
    before: () => importing('--home led'),
    run: 'run prune --home led',
    code: 2,
    prints: [['storeport run prune --older-than 90d --dry-run --home led', 0]],
  },
  'a profile that exists': {
    files: {},
    before: () =>
      shell(`init shop --base-url ${cli.sandbox.url} --client-id ${cli.sandbox.clientId} --no-check`),
    run: () =>
      shell(`init shop --base-url ${cli.sandbox.url} --client-id ${cli.sandbox.clientId} --no-check`),
    code: 2,
    prints: [['storeport init shop --base-url URL --client-id CLIENT --no-check --force', 0]],
  },
  'a profile that was not checked': {
    run: () =>
      shell(`init shop --base-url ${cli.sandbox.url} --client-id ${cli.sandbox.clientId} --no-check`),
    code: 0,
    prints: [
      ['storeport auth check --profile shop', 0],
      ['storeport ui', 0],
      ['storeport import --help', 0],
      ['storeport export reviews --out reviews.csv --profile shop', 0],
    ],
  },
  'settings that are missing': {
    files: { 'in.csv': NATIVE },
    run: () => cli.runWith(['import', 'products', 'in.csv'], { env: { STOREPORT_BASE_URL: '' } }),
    code: 2,
    prints: [['storeport init', 0]],
  },
  'an unknown option': {
    files: { 'in.csv': NATIVE },
    run: 'import products in.csv --nothing-like-it',
    code: 2,
    prints: [['storeport import --help-all', 0]],
  },
  'an unknown command': { run: 'frobnicate', code: 2, prints: [['storeport --help', 0]] },
  'a group without a command': { run: 'run', code: 2, prints: [['storeport run --help', 0]] },
  'a migration without a plan': {
    run: 'migrate',
    code: 2,
    prints: [
      ['storeport migrate <plan>', 'refused by the shell'],
      ['storeport migrate --schema', 0],
    ],
  },

  // Runs.
  'a run with wrong rows': {
    files: {
      'in.csv': ONE_WRONG,
      'my m.yaml': 'resource: products\nfields: { name: name, reference: reference }\n',
    },
    run: () =>
      importing("--mapping './my m.yaml' --set description='a b' --home led --skip-lines 0 --delimiter ,"),
    code: 1,
    out: 'out',
    between: () => cli.editRows('out/errors.csv', (row) => ({ ...row, name: 'Cup' })),
    prints: [
      [
        "storeport import products out/errors.csv --mapping 'my m.yaml' --set 'description=a b' --home led",
        0,
      ],
    ],
    after: () =>
      expect(cli.products().map(({ name, description }) => [name, description])).toEqual([
        ['Mug', 'a b'],
        ['Cup', 'a b'],
      ]),
  },
  'a run whose wrong rows are not corrected': {
    files: { 'in.csv': ONE_WRONG },
    run: () => importing(),
    code: 1,
    out: 'out',
    prints: [['storeport import products out/errors.csv', 1]],
  },
  'a run with failed records': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      await importing('--home led');
      write('in.csv', 'name,reference\nMug 2,A\nCup,B\n');
      cli.sandbox.misbehave({ 'error-500': '100%@update' });
    },
    run: () => importing('--home led --give-up-after 1s'),
    code: 1,
    out: 'out',
    between: calm,
    prints: [['storeport run retry RUN --home led', 0]],
    after: () => expect(cli.products().map(({ name }) => name)).toEqual(['Mug 2', 'Cup']),
  },
  'a run that met a redirect': {
    files: { 'in.csv': NATIVE },
    before: async () => cli.sandbox.misbehave({ redirect: '#1@create' }),
    run: () => importing('--home led --concurrency 1'),
    code: 1,
    out: 'out',
    between: calm,
    prints: [['storeport run retry RUN --home led --rejected', 0]],
    after: () => expect(cli.references()).toHaveLength(2),
  },
  'a run with doubts': {
    files: { 'in.csv': NATIVE },
    before: async () => cli.sandbox.misbehave({ 'late-reset': '#1@create' }),
    run: () => importing('--home led'),
    code: 1,
    out: 'out',
    prints: [['storeport run resolve RUN --home led', 1]],
  },
  'the list of doubts': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      cli.sandbox.misbehave({ reset: '#1@create' });
      await importing('--home led --concurrency 1');
      calm();
    },
    run: 'run resolve --home led',
    code: 1,
    between: () => cli.editRows('out/in-doubt.csv', (row) => ({ ...row, storeport_found: 'no' })),
    prints: [
      ['storeport run resolve RUN --row N --there ID --home led', 2],
      ['storeport run resolve RUN --row N --not-there --home led', 2],
      ['storeport run resolve RUN --from out/in-doubt.csv --home led', 1],
    ],
  },
  'a doubt that is over': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      cli.sandbox.misbehave({ reset: '#1@create' });
      await importing('--home led --concurrency 1');
      calm();
    },
    run: 'run resolve last --all --not-there --home led',
    code: 1,
    prints: [['storeport run retry RUN --home led', 0]],
    after: () => expect(cli.references()).toHaveLength(2),
  },
  'a later run that waited for a doubt': {
    files: { 'in.csv': 'name,reference\nMug,A\n' },
    before: async () => {
      cli.sandbox.misbehave({ reset: '#1@create' });
      await shell('import products in.csv --out one --home led');
      calm();
      write('in.csv', 'name,reference\nCup,A\n');
      await importing('--home led');
    },
    run: async () => {
      const { summary } = cli.reports('one');
      return shell(`run resolve ${summary.run} --all --not-there --home led`);
    },
    code: 1,
    // The first run has older values of the same record, so its retry sends nothing after that of the later one.
    prints: [
      ['storeport run retry RUN --home led', 0],
      ['storeport run retry RUN --home led', 1],
    ],
  },
  'a run that was interrupted': {
    files: { 'in.csv': MANY },
    run: () => interrupted('import products in.csv --out out --concurrency 1 --home led'),
    code: 130,
    out: 'out',
    between: calm,
    prints: [['storeport run resume RUN --home led', 0]],
    after: () => expect(cli.references()).toHaveLength(8),
  },
  'a run that is retried before it is resumed': {
    files: { 'in.csv': MANY },
    before: async () => {
      await interrupted('import products in.csv --out out --concurrency 1 --home led');
      calm();
    },
    run: 'run retry --home led',
    code: 2,
    prints: [['storeport run resume RUN --home led', 0]],
  },
  'the list of runs': {
    files: { 'in.csv': MANY },
    before: async () => {
      await interrupted('import products in.csv --out out --concurrency 1 --home led');
      calm();
    },
    run: 'run list --home led',
    code: 0,
    prints: [['storeport run resume RUN --home led', 0]],
  },
  'a run that is shown': {
    files: { 'in.csv': MANY },
    before: async () => {
      await interrupted('import products in.csv --out out --concurrency 1 --home led');
      calm();
    },
    run: 'run show --home led',
    code: 0,
    prints: [['storeport run resume RUN --home led', 0]],
  },
  'older values that a later run has replaced': {
    files: { 'in.csv': MANY },
    before: async () => {
      await interrupted('import products in.csv --out old --concurrency 1 --home led');
      calm();
      write('in2.csv', MANY.replaceAll('Mug', 'Cup'));
      await shell('import products in2.csv --out new --home led');
    },
    run: () => shell(`run resume ${cli.reports('old').summary.run} --home led`),
    code: 1,
    prints: [['storeport run retry RUN --home led --overwrite-newer', 0]],
  },
  'reports that cannot be written': {
    files: { 'in.csv': NATIVE },
    run: async () => {
      let isBlocked = false;
      const ending = interruptWhen(() => {
        if (isBlocked || cli.sends().length < 1) return false;
        rmSync(join(cli.cwd, 'out'), { recursive: true, force: true });
        write('out', '');
        isBlocked = true;
        return false;
      });
      cli.sandbox.misbehave({ latency: '20ms' });
      return cli.runWith(words('import products in.csv --out out --home led'), { signal: ending });
    },
    code: 3,
    between: () => rmSync(join(cli.cwd, 'out')),
    prints: [['storeport run report RUN --home led', 0]],
    after: () => expect(cli.reports('out').summary.outcomes).toEqual({ created: 2 }),
  },
  'a run that is not an import': {
    files: { 'ids.csv': 'reference,_id\nA,507f1f77bcf86cd799439011\n' },
    before: () => shell('run adopt products ids.csv --out out --home led'),
    run: 'run resume --home led',
    code: 2,
    prints: [['storeport run list --home led', 0]],
  },
  'a run that does not exist': {
    files: { 'in.csv': NATIVE },
    before: () => importing('--home led'),
    run: 'run show 20200101-000000-0000 --home led',
    code: 2,
    prints: [['storeport run list --home led', 0]],
  },
  'a run that was pruned': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      await importing('--home led');
      await shell('import products in.csv --out two --home led');
      await shell('run prune --older-than 0d --home led');
    },
    run: () => shell(`run retry ${cli.reports('two').summary.run} --home led`),
    code: 2,
    prints: [['storeport run resolve RUN --home led', 0]],
  },
  'runs that a prune keeps': {
    files: { 'in.csv': ONE_WRONG },
    before: () => importing('--home led'),
    run: 'run prune --older-than 0d --home led',
    code: 0,
    prints: [['storeport run prune --older-than 0d --home led --also-unfinished', 0]],
  },
  'an undo that is partly refused': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      await importing('--home led');
      cli.sandbox.misbehave({ redirect: '#1@update' });
    },
    run: 'run undo --yes --out undone --home led',
    code: 1,
    out: 'undone',
    between: calm,
    prints: [['storeport run undo RUN --home led', 2]],
  },
  'records that are in the trash': {
    files: { 'in.csv': NATIVE },
    before: async () => {
      await importing('--home led');
      await shell('run undo --yes --home led');
    },
    run: () => importing('--home led'),
    code: 1,
    out: 'out',
    prints: [['storeport import products out/errors.csv --set status=PUBLISH --home led', 0]],
    after: () => expect(cli.products().map(({ status }) => status)).toEqual(['PUBLISH', 'PUBLISH']),
  },
  'identifiers of another system': {
    files: { 'in.csv': '_id,name,reference\nproduct-1,Mug,A\n' },
    run: () => importing('--home led'),
    code: 1,
    out: 'out',
    prints: [['storeport import products in.csv --out out --home led --mode create', 0]],
    after: () => expect(cli.references()).toEqual(['A']),
  },
  'a folder with runs, without a command': {
    files: { 'in.csv': ONE_WRONG },
    before: () => importing("--home led --set description='a b'"),
    run: '--home led',
    code: 2,
    between: () => cli.editRows('out/errors.csv', (row) => ({ ...row, name: 'Cup' })),
    prints: [
      ["storeport import products out/errors.csv --set 'description=a b' --home led", 0],
      ['storeport ui --home led', 0],
      ['storeport import --help', 0],
      ['storeport export reviews --out reviews.csv --home led', 0],
      ['storeport --help', 0],
    ],
  },
  'a reference to a record in doubt': {
    files: {
      's.csv': 'name,address1\nAcme,Ford Row 1\n',
      'p.csv': 'SKU,Title,Vendor\nA,Mug,Acme\n',
      'm.yaml':
        'resource: products\nfields: { reference: SKU, name: Title, supplier._id: { from: Vendor, lookup: { from: suppliers } } }\n',
    },
    before: async () => {
      cli.sandbox.misbehave({ reset: '#1@create' });
      await shell('import suppliers s.csv --out s --home led');
      calm();
    },
    run: 'import products p.csv --mapping ./m.yaml --out out --home led',
    code: 1,
    prints: [['storeport run list --home led', 0]],
  },

  // Migrations.
  'a migration that was checked': {
    files: { 'p.csv': NATIVE, 'plan.yaml': 'steps: [{ import: products, files: p.csv }]\n' },
    run: 'migrate plan.yaml --dry-run --home led --mask-contacts --rate 50',
    code: 0,
    prints: [['storeport migrate plan.yaml --mask-contacts --rate 50 --home led', 0]],
    after: () => expect(cli.references()).toHaveLength(2),
  },
  'a migration with wrong records': {
    files: { 'p.csv': ONE_WRONG, 'plan.yaml': 'steps: [{ import: products, files: p.csv }]\n' },
    run: 'migrate plan.yaml --home led',
    code: 1,
    prints: [['storeport migrate plan.yaml --home led --yes', 1]],
  },
  'a migration that is undone without a terminal': {
    files: { 'p.csv': NATIVE, 'plan.yaml': 'steps: [{ import: products, files: p.csv }]\n' },
    before: () => shell('migrate plan.yaml --home led'),
    run: 'migrate plan.yaml --undo --home led',
    code: 2,
    prints: [['storeport migrate plan.yaml --undo --home led --yes', 0]],
  },
  'an undo of a migration that was never run': {
    files: { 'p.csv': NATIVE, 'plan.yaml': 'steps: [{ import: products, files: p.csv }]\n' },
    run: 'migrate plan.yaml --undo --home led',
    code: 2,
    prints: [['storeport run list --home led', 0]],
  },
};

/** The commands of the outputs and of the page, with RUN for ids. */
function printedBy({ stdout, stderr }: Ended, out: string | undefined): string[] {
  const page = out === undefined ? '' : join(cli.cwd, out, 'report.html');
  const ofPage = existsSync(page) ? commandsOfPage(readFileSync(page, 'utf8')) : [];
  return [...new Set([...commandsIn(stderr), ...commandsIn(stdout), ...ofPage])];
}

/** Runs a command. The page is ended before it serves: it would go on for ever. */
const untilServed = (...words: string[]) =>
  cli.runWith(words, words[0] === 'ui' ? { signal: AbortSignal.abort() } : {});

const withoutIds = (command: string) =>
  command
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, 'RUN')
    .replace(cli.cwd, 'FOLDER')
    .replace(cli.sandbox.url, 'URL')
    .replace(cli.sandbox.clientId, 'CLIENT');

describe('the commands that are printed', () => {
  test.each(Object.entries(SITUATIONS))('for %s run as they are', async (_, situation) => {
    const { files = {}, before, run, code, out, between, prints, after } = situation;
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cli.cwd, name), content);
    await before?.();
    const ended = await (typeof run === 'string' ? shell(run) : run());
    expect(ended).toMatchObject({ code });
    const printed = printedBy(ended, out);
    expect(printed.map(withoutIds)).toEqual(prints.map(([command]) => command));
    await between?.();
    await expectToRun(printed, prints, { code, run: untilServed });
    await after?.();
  });
});

describe('the search for printed commands', () => {
  test.each([
    ['To continue: storeport run resume 1', ['storeport run resume 1']],
    ['  storeport run show 1    what it did', ['storeport run show 1']],
    ['Give `storeport run report 1`, or "storeport run show 1".', ['storeport run report 1']],
    ['Another storeport process is at work. This is storeport.', []],
  ])('finds those of "%s"', (text, commands) => {
    expect(commandsIn(text).slice(0, 1)).toEqual(commands);
  });

  test.each([
    [
      "storeport import 'my shop.csv' --set 'a=b c'",
      ['storeport', 'import', 'my shop.csv', '--set', 'a=b c'],
    ],
    ["storeport import 'Ann'\\''s list'", ['storeport', 'import', "Ann's list"]],
    ["storeport import 'my shop.csv", undefined],
    ['storeport import my shop (2).csv', undefined],
    ['storeport import products <file>', undefined],
  ])('splits %s into words as a shell does', (command, expected) => {
    expect(shellWords(command)).toEqual(expected);
  });
});
