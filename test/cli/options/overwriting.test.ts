import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, storeport, temporaryFolder } from '../../support/run.ts';

const GOOD_AND_BAD = 'name,reference,model\nA,r1,x\n,r2,x\n';
const MAPPING = `resource: products
fields:
  name: name
  reference: reference
  model: { from: model, lookup: { file: brands.csv, key: Name, value: Code } }
`;

function folderWithFiles(): string {
  const cwd = temporaryFolder();
  const files = {
    'a.csv': GOOD_AND_BAD,
    'b.csv': GOOD_AND_BAD.replaceAll(/r(?=\d)/g, 's'),
    'm.yaml': MAPPING,
    'brands.csv': 'Name,Code\nx,X\n',
    'ids.csv': 'reference,_id\nr1,66c0ffee0000000000000001\n',
    'export.yaml': 'resource: reviews\nexport: { Rating: rating }\n',
    'storeport.config.yaml': '# none\n',
    '.env': '# none\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  symlinkSync('a.csv', join(cwd, 'link.csv'));
  linkSync(join(cwd, 'a.csv'), join(cwd, 'hard.csv'));
  mkdirSync(join(cwd, 'reports'));
  for (const name of ['results.csv', 'errors.csv', 'in-doubt.csv'])
    writeFileSync(join(cwd, 'reports', name), GOOD_AND_BAD);
  writeFileSync(join(cwd, 'reports', 'summary.json'), '[{"name":"A","reference":"r1"}]');
  writeFileSync(join(cwd, 'reports', 'ledger.db'), 'what was sent');
  symlinkSync('.', join(cwd, 'same'));
  return cwd;
}

const mapped = ['--mapping', './m.yaml'];

describe('outputs that are also inputs', () => {
  test.each([
    [['clean', 'products', 'a.csv', '--out', 'a.csv'], '--out a.csv', 'the source a.csv'],
    [['clean', 'products', 'a.csv', '--out', 'link.csv'], '--out link.csv', 'the source a.csv'],
    [['clean', 'products', 'a.csv', '--out', 'hard.csv'], '--out hard.csv', 'the source a.csv'],
    [['clean', 'products', 'a.csv', '--out', 'same/a.csv'], '--out same/a.csv', 'the source a.csv'],
    [['clean', 'products', 'a.csv', 'b.csv', '--out', 'b.csv'], '--out b.csv', 'the source b.csv'],
    [['clean', 'products', 'a.csv', '--rejects', 'a.csv', '--out', 'c.csv'], '--rejects', 'the source a.csv'],
    [['clean', 'products', 'a.csv', '--keep-columns', '--out', 'a.csv'], '--out a.csv', 'the source'],
    [['clean', 'products', 'a.csv', ...mapped, '--out', 'm.yaml'], '--out m.yaml', 'the mapping ./m.yaml'],
    [['clean', 'products', 'a.csv', ...mapped, '--out', 'brands.csv'], '--out', 'brands.csv, in which'],
    [['clean', 'products', 'a.csv', '--out', 'storeport.config.yaml'], '--out', 'storeport.config.yaml'],
    [
      ['clean', 'products', 'a.csv', '--home', 'reports', '--out', 'same/reports/ledger.db'],
      '--out same/reports/ledger.db',
      'the ledger reports/ledger.db',
    ],
    [
      ['import', 'products', 'a.csv', '--sandbox', '--home', 'reports', '--log-file', 'reports/ledger.db'],
      '--log-file',
      'the ledger',
    ],
    [['validate', 'products', 'reports/errors.csv', '--out', 'reports'], 'the report', 'the source reports'],
    [['validate', 'products', 'reports/summary.json', '--out', 'same/reports'], 'the report', 'the source'],
    [['import', 'products', 'reports/in-doubt.csv', '--out', 'reports', '--sandbox'], 'the report', 'source'],
    [
      ['import', 'products', 'a.csv', 'reports/results.csv', '--out', 'reports', '--sandbox'],
      'report',
      'source',
    ],
    [
      ['import', 'products', 'a.csv', '--log-file', 'a.csv', '--sandbox'],
      '--log-file a.csv',
      'the source a.csv',
    ],
    [
      ['import', 'products', 'a.csv', ...mapped, '--log-file', 'm.yaml', '--sandbox'],
      '--log-file',
      './m.yaml',
    ],
    [
      ['import', 'products', 'a.csv', ...mapped, '--log-file', 'brands.csv', '--sandbox'],
      '--log-file',
      'brands',
    ],
    [['import', 'products', 'a.csv', '--log-file', '.env', '--sandbox'], '--log-file .env', '.env'],
    [
      ['run', 'adopt', 'products', 'ids.csv', '--log-file', 'ids.csv', '--base-url', 'http://127.0.0.1:9'],
      'log',
      'ids',
    ],
    [['run', 'resolve', '--from', 'a.csv', '--log-file', 'a.csv'], '--log-file a.csv', 'a.csv'],
    [
      ['export', 'reviews', '--mapping', './export.yaml', '--out', 'export.yaml', '--sandbox'],
      '--out',
      'export.yaml',
    ],
  ])('%j is refused with 2', async (args, written, read) => {
    const cwd = folderWithFiles();
    const before = textsIn(cwd);
    const { code, stderr, stdout } = await storeport([...args, '--json'], { cwd });
    expect(code).toBe(2);
    const { message } = JSON.parse(stdout).error;
    const [is, as] = message.split(' is the same file as ');
    expect(is).toContain(written);
    expect(as).toContain(read);
    expect(stderr).toContain('Name another file.');
    expect(textsIn(cwd)).toEqual(before);
  });

  test('a file on standard input is protected as an input', () => {
    const cwd = folderWithFiles();
    const input = openSync(join(cwd, 'a.csv'), 'r');
    const { status, stderr } = spawnSync(
      process.execPath,
      [binary, 'clean', 'products', '-', '--out', 'a.csv'],
      { cwd, stdio: [input, 'pipe', 'pipe'], encoding: 'utf8' },
    );
    closeSync(input);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('standard input'),
    });
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe(GOOD_AND_BAD);
  });

  test('standard output appended to the source is refused', () => {
    const cwd = folderWithFiles();
    const output = openSync(join(cwd, 'a.csv'), 'a');
    const { status } = spawnSync(process.execPath, [binary, 'clean', 'products', 'a.csv'], {
      cwd,
      stdio: ['ignore', output, 'ignore'],
    });
    closeSync(output);
    expect(status).toBe(2);
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe(GOOD_AND_BAD);
  });
});

describe('files under --home', () => {
  const RUN = '20260301-031500-a1b2.log';
  const KEYS = join('exports', '0123456789abcdef.keys');
  const KEPT = ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', RUN, 'rate-0123456789abcdef.json', KEYS];

  function folderWithHome(): string {
    const cwd = folderWithFiles();
    mkdirSync(join(cwd, 'home', 'exports'), { recursive: true });
    for (const name of KEPT) {
      writeFileSync(join(cwd, 'home', name), 'kept');
      const plain = name.replaceAll('/', '-');
      symlinkSync(join('home', name), join(cwd, `link-${plain}`));
      linkSync(join(cwd, 'home', name), join(cwd, `hard-${plain}`));
    }
    symlinkSync('home', join(cwd, 'other-home'));
    mkdirSync(join(cwd, 'linked'));
    symlinkSync('../home/ledger.db', join(cwd, 'linked', 'results.csv'));
    return cwd;
  }

  const PATHS = KEPT.flatMap((name) => [
    `home/${name}`,
    `other-home/${name}`,
    `link-${name.replaceAll('/', '-')}`,
    `hard-${name.replaceAll('/', '-')}`,
  ]);

  test('an export refuses to write a file of --home by any path', async () => {
    const cwd = folderWithHome();
    for (const path of PATHS) {
      const args = ['export', 'reviews', '--sandbox', '--home', 'home', '--out', path];
      const { code, stderr } = await storeport(args, { cwd });
      expect({ path, code }).toEqual({ path, code: 2 });
      expect(stderr).toContain(`--out ${path} is `);
    }
    for (const name of KEPT) expect(readFileSync(join(cwd, 'home', name), 'utf8')).toBe('kept');
  });

  test.each([
    [['clean', 'products', 'a.csv', '--out', 'hard-ledger.db-wal']],
    [['clean', 'products', 'a.csv', '--out', 'c.csv', '--rejects', 'home/ledger.db-shm']],
    [['validate', 'products', 'a.csv', '--out', 'linked']],
    [['import', 'products', 'a.csv', '--sandbox', '--log-file', `home/${RUN}`]],
    [['run', 'list', '--log-file', `hard-${RUN}`]],
    [['sandbox', '--port', '0', '--data', 'home/ledger.db-wal']],
    [['sandbox', '--port', '0', '--journal', 'link-ledger.db']],
  ])('%j is refused with 2', async (args) => {
    const cwd = folderWithHome();
    const { code, stderr } = await storeport([...args, '--home', 'home'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Nothing was written.') });
    for (const name of KEPT) expect(readFileSync(join(cwd, 'home', name), 'utf8')).toBe('kept');
  });

  test('a file name of --home is refused even if the file does not exist yet', async () => {
    for (const name of ['ledger.db', 'ledger.db-wal', RUN, KEYS]) {
      const cwd = folderWithFiles();
      const args = ['export', 'reviews', '--sandbox', '--home', 'new', '--out', join('new', name)];
      const { code, stderr } = await storeport(args, { cwd });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('is the name of a file that storeport keeps in new.'),
      });
      expect(existsSync(join(cwd, 'new'))).toBe(false);
    }
  });

  test('other names under --home are allowed', async () => {
    const cwd = folderWithFiles();
    const args = ['export', 'reviews', '--sandbox', '--home', '.', '--out', 'ledger.csv'];
    expect((await storeport(args, { cwd })).code).toBe(0);
  });

  test('the reports of a run refuse to overwrite a file of --home', async () => {
    const cwd = folderWithFiles();
    const store = ['--sandbox', '--home', 'home'];
    await storeport(['import', 'products', 'a.csv', '--out', 'one', ...store], { cwd });
    rmSync(join(cwd, 'one', 'results.csv'));
    symlinkSync('../home/ledger.db', join(cwd, 'one', 'results.csv'));
    const before = readFileSync(join(cwd, 'home', 'ledger.db'));
    const commands = [
      ['run', 'report', '--home', 'home'],
      ['import', 'products', 'b.csv', '--out', 'one', ...store],
    ];
    for (const args of commands) {
      const { code, stderr } = await storeport(args, { cwd });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('the ledger home/ledger.db'),
      });
    }
    expect(readFileSync(join(cwd, 'home', 'ledger.db'))).toEqual(before);
  });
});

describe('two outputs with one file', () => {
  test.each([
    [['clean', 'products', 'a.csv', '--out', 'c.csv', '--rejects', './c.csv']],
    [['clean', 'products', 'a.csv', '--out', 'c.csv', '--rejects', 'same/c.csv']],
    [['clean', 'products', 'a.csv', '--out', 'c.csv', '--log-file', 'c.csv']],
    [['import', 'products', 'a.csv', '--sandbox', '--out', 'reports', '--log-file', 'reports/results.csv']],
    [['export', 'reviews', '--sandbox', '--out', 'r.csv', '--log-file', 'r.csv.manifest.json']],
    [['sandbox', '--port', '0', '--data', 'x', '--journal', 'x']],
    [['sandbox', '--port', '0', '--data', 'x', '--log-file', 'x']],
  ])('%j is refused with 2', async (args) => {
    const { code, stderr } = await storeport(args, { cwd: folderWithFiles() });
    expect(stderr).toContain('are one file.');
    expect(code).toBe(2);
  });
});

test('a corrected file in the folder of its run is imported, and reports are written there', async () => {
  const cwd = folderWithFiles();
  const store = ['--sandbox', '--home', 'ledger'];
  expect((await storeport(['import', 'products', 'a.csv', '--out', 'one', ...store], { cwd })).code).toBe(1);
  const errors = join(cwd, 'one', 'errors.csv');
  writeFileSync(errors, readFileSync(errors, 'utf8').replace('\n,r2', '\nB,r2'));
  const again = ['import', 'products', 'one/errors.csv', '--out', 'two', ...store];
  expect((await storeport(again, { cwd })).code).toBe(0);
  const report = ['run', 'report', '--home', 'ledger', '--log-file', 'two/run.log'];
  expect((await storeport(report, { cwd })).code).toBe(0);
});

function textsIn(cwd: string): string[] {
  const names = ['a.csv', 'b.csv', 'm.yaml', 'brands.csv', 'ids.csv', 'export.yaml', '.env'];
  const reports = ['results.csv', 'errors.csv', 'in-doubt.csv', 'summary.json'];
  return [...names, 'storeport.config.yaml', ...reports.map((name) => join('reports', name))].map((name) =>
    readFileSync(join(cwd, name), 'utf8'),
  );
}
