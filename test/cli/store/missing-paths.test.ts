import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';

const NOTHING = { status: 404, body: { status: 'error', message: 'no such path' } };
const oneImage = { results: [{ _id: 'i1' }], paginate: { total: 1, per_page: 100 } };

describe('missing list path', () => {
  const imageStore = () => httpStore(({ path }) => (path === '/api/images/search' ? oneImage : NOTHING));

  test('a missing list of images: the message names the setting and the other path', async () => {
    const { environment } = await imageStore();
    const { code, stderr } = await storeport(['export', 'images'], {
      cwd: temporaryFolder(),
      env: environment,
    });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Error: Page 1 of \/api\/images cannot be read\. .*404/m);
    expect(stderr).toContain('Some stores have it at /api/images/search.');
    expect(stderr).toContain('write images.list.path into the section api of storeport.config.yaml');
    expect(stderr).toContain('For example: api: { images: { list: { path: /api/images/search } } }');
  });

  test('the configuration line from the message finds the list', async () => {
    const { environment } = await imageStore();
    const cwd = temporaryFolder();
    const config = 'api: { images: { list: { path: /api/images/search } } }\n';
    writeFileSync(join(cwd, 'storeport.config.yaml'), config);
    const { code, stdout } = await storeport(['export', 'images', '--columns', '_id'], {
      cwd,
      env: environment,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '_id\ni1\n' });
  });

  test.each(['reviews', 'checkouts', 'products'])(
    'a missing list of %s: the message names the setting',
    async (resource) => {
      const { environment } = await httpStore(() => NOTHING);
      const { code, stderr } = await storeport(['export', resource], {
        cwd: temporaryFolder(),
        env: environment,
      });
      expect(code).toBe(3);
      expect(stderr).toContain(
        `If yours has it elsewhere, write ${resource}.list.path into the section api of storeport.config.yaml`,
      );
    },
  );

  test('a list that is missing after its first page: the message names no setting', async () => {
    const page = { results: [{ _id: 'a' }], paginate: { total: 2, per_page: 1, last_page: 2 } };
    const { environment } = await httpStore(({ query }) => (query.page === '1' ? page : NOTHING));
    const { code, stderr } = await storeport(['export', 'reviews'], {
      cwd: temporaryFolder(),
      env: environment,
    });
    expect(code).toBe(3);
    expect(stderr).not.toContain('list.path');
  });
});

describe('missing path of a create or update', () => {
  async function imported(csv: string, status: number, mode: string) {
    const { environment } = await httpStore(() => ({ ...NOTHING, status }));
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.csv'), csv);
    const args = ['import', 'products', 'a.csv', '--mode', mode, '--out', 'out'];
    const { code } = await storeport(args, { cwd, env: environment });
    return { code, message: readReports(join(cwd, 'out')).results[0]?.message };
  }

  test.each([404, 405, 410])('a create to a missing path names products.create.path (%d)', async (status) => {
    const { code, message } = await imported('name,reference\nA,r1\n', status, 'create');
    expect(code).toBe(1);
    expect(message).toContain(
      'If the store takes new products under another path, write products.create.path into the section api of storeport.config.yaml.',
    );
  });

  test('a refused update method names products.update.method, and a missing record names nothing', async () => {
    const csv = '_id,name\n66c0ffee0000000000000001,A\n';
    const refused = await imported(csv, 405, 'update');
    expect(refused.message).toContain('write products.update.method into the section api');
    const missing = await imported(csv, 404, 'update');
    expect(missing.message).not.toContain('section api');
  });
});
