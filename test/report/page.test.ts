import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ActivityPoint, HIDDEN, type RecordResult } from '../../src/model/index.ts';
import { asHtml } from '../../src/report/page/html.ts';
import { runPage } from '../../src/report/page/page.ts';
import { collectReturned } from '../../src/report/page/returned-records.ts';
import type { Problem, Summary } from '../../src/report/summary.ts';
import { runSummary } from '../support/run-summary.ts';

const HEADER = ['SKU', 'Price', 'Password'];

test('markup shows characters that change the direction of text', () => {
  expect(asHtml`<b>${'a\u202eb\u2066c'}</b>`.markup).toBe('<b>a\\u202eb\\u2066c</b>');
});

function invalid(seq: number, more: Partial<RecordResult> = {}): RecordResult {
  const row = seq + 2;
  return {
    ...{ seq, row, key: `PEN-${seq}` },
    outcome: {
      ...{ outcome: 'invalid', attempts: 0, durationMs: 0, code: 'not-a-number', field: 'price.salePrice' },
      message: `row ${row}, column "Price": "x" is not a number`,
    },
    rows: [{ row, cells: [`PEN-${seq}`, 'x', 'hunter2'] }],
    ...more,
  };
}

const PROBLEM: Problem = {
  ...{ outcome: 'invalid', code: 'not-a-number', field: 'price.salePrice', count: 1, issues: 1 },
  ...{ example_row: 2, example: 'row 2, column "Price": "x" is not a number' },
};

function pageOf(results: readonly RecordResult[], more: Partial<Summary> = {}, header = HEADER): string {
  const returned = collectReturned(header);
  for (const each of results) returned.add(each);
  return runPage({ run: runSummary(more), returned, options: {} });
}

/** The text of a page, without markup. */
const textOf = (page: string) =>
  page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the heading', () => {
  test.each([
    ['all arrived', {}, 'All 2 products arrived in shop.example.com'],
    [
      'some need a person',
      { records: 1243, outcomes: { created: 1200, updated: 30, unchanged: 10, invalid: 2, 'in-doubt': 1 } },
      '1,240 of 1,243 products arrived in shop.example.com; 3 records need you',
    ],
    [
      'one record',
      { records: 1, outcomes: { invalid: 1 } },
      '0 of 1 products arrived in shop.example.com; 1 record needs you',
    ],
    [
      'a duplicate of an invalid record',
      { records: 3, outcomes: { created: 1, duplicate: 1, invalid: 1 } },
      '1 of 2 products arrived in shop.example.com; 1 record needs you',
    ],
    ['no record', { records: 0, outcomes: {} }, 'No products were read'],
    [
      'a check',
      { command: 'validate', store: null, outcomes: { planned: 1, invalid: 1 } },
      '1 of 2 products are ready to be imported; 1 record needs you',
    ],
  ] as const)('says in one sentence what happened: %s', (_what, more, sentence) => {
    const page = pageOf([], more as Partial<Summary>);
    expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe(sentence);
    expect(/<title>(.*?)<\/title>/.exec(page)?.[1]).toBe(`${sentence} – storeport`);
  });

  test('a run that stopped says why, and how much was not read', () => {
    const stopped = { reason: 'store-unreachable' as const, message: 'The store does not answer.' };
    const text = textOf(pageOf([], { stopped, not_read: 1200 }));
    expect(text).toContain('Stopped early. The store does not answer. 1,200 records were not read.');
    expect(text).toContain('storeport run resume 20261121-093012-a1b2');
    expect(textOf(pageOf([], { stopped, not_read: 1 }))).toContain('answer. 1 record was not read.');
    expect(textOf(pageOf([], { stopped, not_read: 0 }))).not.toContain('not read');
  });
});

describe('rows that did not arrive', () => {
  test('have their wrong cells marked, beside the reason', () => {
    const page = pageOf([invalid(0)], { outcomes: { created: 1, invalid: 1 }, problems: [PROBLEM] });
    expect(page).toContain('<div class="bad"><dt>Price</dt><dd>x</dd></div>');
    expect(textOf(page)).toContain('PEN-0');
    expect(textOf(page)).toContain('storeport import products');
  });

  test('have their surplus cells marked, unless these may be a part of a password', () => {
    const long = invalid(0, { rows: [{ row: 2, cells: ['PEN-0', '1', '200', '', '5'] }] });
    expect(pageOf([long], {}, ['SKU', 'Price'])).toContain(
      '<div class="bad"><dt>storeport_surplus</dt><dd>200 | 5</dd></div>',
    );
    expect(pageOf([long])).toContain(`<div class="bad"><dt>storeport_surplus</dt><dd>${HIDDEN}</dd></div>`);
  });

  test('are imported again with the options of the run that decide what is sent, and where', () => {
    const options = {
      ...{ mode: 'update', set: ['status=DRAFT'], maskContacts: true, mapping: resolve('my shop.yaml') },
      ...{ profile: 'paris', delimiter: ';', offset: 10, limit: 5, concurrency: 16 },
    };
    const run = runSummary({ out: resolve('out'), outcomes: { invalid: 2 }, problems: [PROBLEM] });
    const page = runPage({ run, returned: undefined, options });
    expect(/<code>(.*?)<\/code>/.exec(page)?.[1]?.replaceAll('&#39;', "'")).toBe(
      "storeport import products out/errors.csv --mapping 'my shop.yaml' --mode update --set status=DRAFT --mask-contacts --profile paris",
    );
  });

  test('the wrong row of a record with many rows is shown, also beside its cause', () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({
      row: n + 2,
      cells: [`S-${n}`, n === 24 ? 'x' : '9'],
    }));
    const outcome = { ...invalid(0).outcome, message: 'row 26, column "Price": "x" is not a number' };
    const page = pageOf([invalid(0, { rows, outcome })], { problems: [PROBLEM] });
    const [, cause = ''] = /<article class="cause">([\s\S]*?)<\/article>/.exec(page) ?? [];
    expect(cause.match(/<td class="number">\d+/g)).toEqual(['<td class="number">26']);
    expect(page.match(/<div class="bad"><dt>Price<\/dt><dd>x<\/dd>/g)).toHaveLength(3);
    expect(textOf(page)).toContain('10 of its 30 rows');
  });

  test('the first 1,000 are shown, and the page names the file with all of them', () => {
    const results = Array.from({ length: 1200 }, (_, seq) => invalid(seq));
    const page = pageOf(results, { records: 1200, outcomes: { invalid: 1200 }, problems: [PROBLEM] });
    expect(page.match(/<tr data-code=/g)).toHaveLength(1000);
    expect(textOf(page)).toContain('These are the first 1,000 of 1,200');
  });

  test('long cells and many columns leave the page below 2 MB', () => {
    const header = Array.from({ length: 300 }, (_, index) => `Column number ${index}`);
    const cells = header.map(() => '<&>"'.repeat(500));
    const results = Array.from({ length: 2000 }, (_, seq) =>
      invalid(seq, { rows: [{ row: seq + 2, cells }] }),
    );
    const page = pageOf(results, { records: 2000, outcomes: { invalid: 2000 } }, header);
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  });

  test('those in doubt have a table of their own', () => {
    const outcome = { outcome: 'in-doubt', attempts: 1, durationMs: 9, code: 'no-answer' } as const;
    const page = pageOf([invalid(0, { outcome })], { outcomes: { created: 1, 'in-doubt': 1 } });
    expect(page).toContain('<table id="in-doubt">');
    expect(page).not.toContain('<table id="wrong">');
  });

  test('one cell that is wrong for two fields is one cause', () => {
    const other = { ...PROBLEM, field: 'variants.0.price.salePrice' };
    const text = textOf(pageOf([invalid(0)], { problems: [PROBLEM, other] }));
    expect(text).toContain('invalid: not-a-number (price.salePrice, variants.0.price.salePrice)');
  });
});

describe('unused columns', () => {
  const file = { file: 'products.csv', sha256: null, unused_columns: ['Note', 'Shelf'] };
  const plan = { requests: 1, actions: { create: 1 }, unused: [{ column: 'Note', sample: 'ask Ann' }] };

  test('are a list of names if nothing else is known', () => {
    expect(pageOf([], { files: [file] })).toContain('<ul class="names"><li>Note</li><li>Shelf</li></ul>');
  });

  test('are a table if a cell of one is known', () => {
    const page = pageOf([], { files: [file], plan });
    expect(page).toContain('<tr><td>Note</td><td>ask Ann</td><td></td></tr>');
    expect(page).not.toContain('class="names"><li');
  });

  test('are a table if the meaning of one is known', () => {
    const missed_columns = [{ kind: 'prices', columns: ['Shelf'] }];
    const page = pageOf([], { files: [{ ...file, missed_columns }] });
    expect(page).toContain('<tr><td>Shelf</td><td></td><td>prices</td></tr>');
  });
});

describe('charts', () => {
  const point = (records: number, more: Partial<ActivityPoint> = {}): ActivityPoint => ({
    ...{ records, waitedMs: 0, rate: 60 },
    answers: { all: records, refused: 1, faults: 2, times: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, records] },
    ...more,
  });
  const withActivity = (points: readonly ActivityPoint[]) =>
    runPage({ run: runSummary(), returned: undefined, options: {}, activity: { widthMs: 2000, points } });

  test('show records, answer times, and the rate beside the limit, with the same in words', () => {
    const text = textOf(withActivity([point(100), point(120), point(80)]));
    expect(text).toContain('Records a second : at most 60');
    expect(text).toContain('half of them below 54 ms, 95 % below 54 ms');
    expect(text).toContain('3 refused since they were too many (429); 6 without a usable answer');
  });

  test('shade the time of waits, and say the reason', () => {
    const wait = { waitedMs: 2000, waitedFor: 'the store: it is away' };
    const page = withActivity([point(9), point(0, wait), point(0, wait), point(9)]);
    expect(textOf(page)).toContain('Waited 4.0s for the store: it is away.');
    expect(page.match(/class="span"/g)).toHaveLength(3);
  });

  test('show answers that come one by one, with nothing between them', () => {
    const none = point(0, { answers: { all: 0, refused: 0, faults: 0, times: [] } });
    const page = withActivity([point(1), none, point(1), none, point(1)]);
    const times = /Answer times in ms[\s\S]*?<path class="line" d="([^"]*)"/.exec(page)?.[1];
    expect(times?.match(/M[\d.]+ [\d.]+H[\d.]+/g)).toHaveLength(3);
  });

  test('are left out of a short run', () => {
    expect(withActivity([point(1), point(2)])).not.toContain('How fast it went');
  });
});

describe('what the page must not have', () => {
  test('passwords are hidden, also in the text of a JSON object', () => {
    const json = '{"email":"a@example.com","password":"hunter2","pin":{"Passwort":"hunter2"}}';
    const pages = [
      pageOf([invalid(0)], { problems: [PROBLEM] }),
      pageOf([invalid(0, { rows: [{ row: 2, cells: [json] }] })], { problems: [PROBLEM] }, ['json']),
      pageOf(
        [invalid(0, { rows: [{ row: 2, cells: ['{"password":["hunter2"]}'] }] })],
        { problems: [PROBLEM] },
        ['json'],
      ),
      pageOf(
        [invalid(0, { rows: [{ row: 2, cells: ['[{"password":"hunter2"}]'] }] })],
        { problems: [PROBLEM] },
        ['contacts'],
      ),
    ];
    for (const page of pages) expect(page).not.toContain('hunter2');
    expect(pages[1]).toContain('a@example.com');
  });

  test('without rows it has no key, no cell and no message', () => {
    const run = runSummary({
      ...{ outcomes: { created: 1, invalid: 1 }, problems: [PROBLEM] },
      files: [
        {
          ...{ file: 'products.csv', sha256: null, unused_columns: ['Note'] },
          suspicious: [
            { code: 'rounded', column: 'EAN', count: 1, cells: [{ row: 2, text: 'SECRET-CELL' }] },
          ],
          warnings: [{ message: 'A gift card.', count: 1, records: [{ row: 2, key: 'SECRET-KEY' }] }],
        },
      ],
      plan: { requests: 1, actions: { create: 1 }, unused: [{ column: 'Note', sample: 'SECRET-SAMPLE' }] },
    });
    const page = runPage({ run, returned: undefined, options: {} });
    for (const hidden of ['SECRET', 'PEN-0', '"x"', '&quot;x&quot;']) expect(page).not.toContain(hidden);
    expect(textOf(page)).toContain('not-a-number (price.salePrice)');
  });

  test('data never becomes markup', () => {
    const tags = (page: string) => page.match(/<[^>]*/g)?.length;
    const plain = (text: string) => {
      const outcome = { ...invalid(0).outcome, message: text, code: text || 'code' };
      const problem = { ...PROBLEM, code: text || 'code', example: text };
      return pageOf(
        [invalid(0, { key: text, outcome, rows: [{ row: 2, cells: [text || 'x', 'x', 'x'] }] })],
        {
          ...{ problems: [problem], resource: text, store: text, run: text },
          files: [{ file: text, sha256: null, unused_columns: [text] }],
          mapping: { name: text, sha256: text },
        },
        [text || 'x', 'b', 'c'],
      );
    };
    const expected = tags(plain('x'));
    const hostile = fc.stringMatching(/^[<>"'&/a-z= -]{1,20}$/);
    fc.assert(fc.property(hostile, (text) => void expect(tags(plain(`<${text}`))).toBe(expected)));
  });

  test('the policy allows its own style and script by their digests, and nothing else', () => {
    const page = pageOf([]);
    const digest = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy?.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; style-src ${digest('style')}; script-src ${digest('script')}; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/ style=| on\w+=|src=|href=/);
  });
});
