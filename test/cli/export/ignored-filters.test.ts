import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { httpStore } from '../../support/http-store.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';

/** A store that returns all its items, whatever the filter. */
const ignoringStore = (items: readonly JsonObject[]) =>
  httpStore(({ query }) => {
    const [page, size] = [Number(query.page), Number(query.limit)];
    return {
      results: items.slice((page - 1) * size, page * size),
      paginate: { total: items.length, per_page: size, current_page: page },
    };
  });

const reviews = Array.from({ length: 150 }, (_, n) => ({
  _id: `r${n}`,
  rating: (n % 5) + 1,
  published: n % 2 === 0,
  product: { _id: `p${n % 3}` },
}));

async function exported(items: readonly JsonObject[], args: readonly string[]) {
  const cwd = temporaryFolder();
  const { environment, requests } = await ignoringStore(items);
  const ended = await storeport(['export', ...args, '--out', 'x.ndjson'], { cwd, env: environment });
  const text = ended.code === 2 ? '' : readFileSync(join(cwd, 'x.ndjson'), 'utf8');
  const manifest =
    ended.code === 2 ? undefined : JSON.parse(readFileSync(join(cwd, 'x.ndjson.manifest.json'), 'utf8'));
  return {
    ...ended,
    asked: requests.length,
    manifest,
    ids: text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)._id),
  };
}

describe('export from a store that ignores a filter', () => {
  test.each([
    ['rating=5', (item: (typeof reviews)[number]) => item.rating === 5],
    ['published=true', (item: (typeof reviews)[number]) => item.published],
    ['product=p1', (item: (typeof reviews)[number]) => item.product._id === 'p1'],
  ] as const)('an export keeps only items that match %s, with a warning', async (filter, isMatch) => {
    const { code, ids, manifest, stderr, stdout } = await exported(reviews, ['reviews', '--filter', filter]);
    const wanted = reviews.filter(isMatch).map(({ _id }) => _id);
    const left = reviews.length - wanted.length;
    expect({ code, ids }).toEqual({ code: 0, ids: wanted });
    expect(manifest).toMatchObject({ rows: wanted.length, mismatched: left, unchecked: 0, complete: true });
    expect(stderr).toContain(
      `Warning: the store sent ${left} reviews that do not match --filter ${filter}; they were left out.`,
    );
    expect(stdout).toContain(`(left out: ${left} that do not match)`);
  });

  test('items without the filtered field are kept and counted', async () => {
    const items = [{ _id: 'a', rating: 5 }, { _id: 'b' }, { _id: 'c', rating: 1 }];
    const { code, ids, manifest, stderr } = await exported(items, ['reviews', '--filter', 'rating=5']);
    expect({ code, ids }).toEqual({ code: 0, ids: ['a', 'b'] });
    expect(manifest).toMatchObject({ mismatched: 1, unchecked: 1 });
    expect(stderr).toContain('Warning: 1 reviews do not show whether they match --filter rating=5');
  });

  test('checkouts are kept, since they have no status field', async () => {
    const { code, manifest, stderr } = await exported(
      [{ customerNote: 'a' }, { customerNote: 'b' }],
      ['checkouts', '--filter', 'status=abandoned'],
    );
    expect(code).toBe(0);
    expect(manifest).toMatchObject({ rows: 2, mismatched: 0, unchecked: 2 });
    expect(stderr).toMatch(/^2 checkouts do not show whether they match --filter status=abandoned/m);
  });

  test('items that a filter drops do not count for --limit', async () => {
    const { ids } = await exported(reviews, ['reviews', '--filter', 'rating=5', '--limit', '3']);
    expect(ids).toEqual(['r4', 'r9', 'r14']);
  });
});

test.each(['rating=abc', 'rating=', 'published=maybe', 'stars=5'])(
  '--filter %s is refused with 2 before the first request',
  async (filter) => {
    const { code, asked, stderr } = await exported(reviews, ['reviews', '--filter', filter]);
    expect({ code, asked }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain(`Error: --filter ${filter}: `);
  },
);
