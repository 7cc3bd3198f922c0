import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { httpStore } from '../../support/http-store.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';

const SIZE = 100;
const checkout = (name: string) => ({ customer: { firstname: name }, details: [] });
const names = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`);

/** A store whose list of checkouts changes once, after `after` of its pages have been read. */
function changingStore(list: string[], change: (list: string[]) => unknown, after: number) {
  let read = 0;
  return httpStore(({ query }) => {
    const page = Number(query.page);
    const answer = {
      results: list.slice((page - 1) * SIZE, page * SIZE).map(checkout),
      paginate: {
        total: list.length,
        per_page: SIZE,
        current_page: page,
        last_page: Math.ceil(list.length / SIZE),
      },
    };
    if (++read === after) change(list);
    return answer;
  });
}

async function exported(list: string[], change: (list: string[]) => unknown, after = 1) {
  const store = await changingStore(list, change, after);
  const cwd = temporaryFolder();
  const ended = await storeport(['export', 'checkouts', '--out', 'c.ndjson', '--concurrency', '1'], {
    cwd,
    env: store.environment,
  });
  const lines = readFileSync(join(cwd, 'c.ndjson'), 'utf8').trimEnd().split('\n');
  const manifest = JSON.parse(readFileSync(join(cwd, 'c.ndjson.manifest.json'), 'utf8'));
  return {
    ...ended,
    written: lines.map((line) => JSON.parse(line).customer.firstname as string),
    manifest,
  };
}

describe('equal checkouts at a page boundary', () => {
  const withTwins = () =>
    names(250)
      .with(SIZE - 1, 'twin')
      .with(SIZE, 'twin');

  test.each([
    ['an earlier one is removed', (list: string[]) => list.splice(3, 1)],
    ['a later one is removed', (list: string[]) => list.splice(180, 1)],
    ['an earlier one is added', (list: string[]) => list.unshift('new')],
    ['a later one is added', (list: string[]) => list.push('new')],
  ] as const)('equal checkouts at a page boundary are both exported when %s', async (_, change) => {
    const list = withTwins();
    const { code, written, manifest } = await exported(list, change);
    expect({ code, unsure: manifest.drift.unsure }).toEqual({ code: 0, unsure: 0 });
    const there = list.filter((name) => name !== 'new');
    expect(written.filter((name) => there.includes(name)).toSorted()).toEqual(there.toSorted());
  });
});

test('the export warns with 1 if equal checkouts hide how far the list has shifted', async () => {
  const list = ['first', ...Array<string>(250).fill('twin'), ...names(50)];
  const { code, stderr, manifest } = await exported(list, (all) => all.splice(20, 1), 2);
  expect({ code, complete: manifest.complete }).toEqual({ code: 1, complete: false });
  expect(manifest.drift.unsure).toBeGreaterThan(0);
  expect(stderr).toContain('something may be missing, or come twice, before');
});
