import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { storeport, storeportProcess, temporaryFolder } from '../../support/run.ts';

const MAPPING = JSON.stringify({
  resource: 'products',
  fields: {
    name: 'N',
    reference: 'R',
    'brand.name': { from: 'B', lookup: { file: '../tables/brands.csv', key: 'K', value: 'V' } },
  },
});

/** A mapping with a lookup file in another folder than its own. */
function elsewhere(): string {
  const cwd = temporaryFolder();
  for (const folder of ['mappings', 'tables']) mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, 'mappings', 'mine.yaml'), MAPPING);
  writeFileSync(join(cwd, 'tables', 'brands.csv'), 'K,V\nq,Quiet\n');
  writeFileSync(join(cwd, 'in.csv'), 'N,R,B\nA,1,q\n');
  return cwd;
}

const ARGS = ['in.csv', '--mapping', 'mappings/mine.yaml'];
const COMMANDS = ['validate', 'clean', 'import'];

test.each(COMMANDS)(
  '%s reads a lookup file in another folder only if the command line allows it',
  async (command) => {
    const cwd = elsewhere();
    const args = [command, 'products', ...ARGS, ...(command === 'import' ? ['--sandbox'] : [])];
    const refused = await storeport(args, { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('looks things up in ../tables/brands.csv, which is outside');
    const allowed = await storeport([...args, '--allow-lookup', 'tables'], { cwd });
    expect(allowed).toMatchObject({ code: 0 });
  },
);

test('the environment can allow a lookup folder, and .env cannot', async () => {
  const cwd = elsewhere();
  const args = ['validate', 'products', ...ARGS];
  expect((await storeport(args, { cwd, env: { STOREPORT_ALLOW_LOOKUP: 'tables' } })).code).toBe(0);
  writeFileSync(join(cwd, '.env'), 'STOREPORT_ALLOW_LOOKUP=tables\n');
  const refused = await storeport(args, { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('STOREPORT_ALLOW_LOOKUP in .env is ignored');
});

test('a resumed run keeps its allowed lookup folders', async () => {
  const cwd = elsewhere();
  writeFileSync(join(cwd, 'in.csv'), 'N,R,B\nA,1,q\nB,2,q\n');
  let kill: (() => void) | undefined;
  const store = await httpStore(async ({ body }) => {
    kill?.();
    return { data: { _id: `66f00000000000000000000${body.reference}` } };
  });
  const args = [
    'import',
    'products',
    ...ARGS,
    '--allow-lookup',
    'tables',
    '--concurrency',
    '1',
    '--out',
    'out',
  ];
  await storeportProcess(args, {
    cwd,
    env: store.environment,
    onStart(child) {
      kill = () => child.kill('SIGKILL');
    },
  });
  kill = undefined;
  const resume = ['run', 'resume', '--home', join(cwd, '.storeport')];
  const resumed = await storeport(resume, { cwd: temporaryFolder(), env: store.environment });
  expect(resumed.stderr).not.toContain('outside');
  // The first record is in doubt since the kill.
  expect(resumed.code).toBe(1);
  expect(store.requests.map(({ body }) => body.brand)).toEqual([{ name: 'Quiet' }, { name: 'Quiet' }]);
});
