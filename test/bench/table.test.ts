import { describe, expect, test } from 'vitest';
import { besideRelease, ratiosOf } from './last-release.ts';
import { inDocs, type Line, markdown, medianOf } from './table.ts';

const line = (records: number, name: string, rowsPerSecond: number): Line => ({
  ...{
    title: 'import',
    records,
    name,
    rowsPerSecond,
    peakMb: 99.6,
    cpuUsPerRow: name === 'client' ? 20 : 41.2,
  },
  ...(records > 1000 ? { threadUsPerRow: { main: name === 'client' ? 18 : 36 } } : {}),
});

describe('the table of a benchmark', () => {
  test('has a line for each program and size, and compares storeport with the others', () => {
    const text = markdown([
      line(1000, 'client', 10_000),
      line(1000, 'storeport import', 8000),
      line(20_000, 'client', 12_345.6),
      line(20_000, 'storeport import', 6172.8),
      line(20_000, 'script', 1543.2),
    ]);
    expect(text).toBe(`### import

| records | program | rows/s | peak MB | CPU µs a row | of that, main thread |
|--:|---|--:|--:|--:|--:|
| 1,000 | client | 10,000 | 100 | 20 | – |
| 1,000 | storeport import | 8,000 | 100 | 41 | – |
| 20,000 | client | 12,346 | 100 | 20 | 18 |
| 20,000 | storeport import | 6,173 | 100 | 41 | 36 |
| 20,000 | script | 1,543 | 100 | 41 | 36 |

- 1,000 records: storeport import is 0.80 × client (CPU 2.06 ×)
- 20,000 records: storeport import is 0.50 × client (CPU 2.06 ×, main thread 2.00 ×), 4.00 × script (CPU 1.00 ×, main thread 1.00 ×)`);
  });

  test('leaves out the memory of programs for which it is not known', () => {
    expect(markdown([{ ...line(1000, 'client', 10), peakMb: Number.NaN }])).toContain('| 10 | – | 20 |');
  });

  test('has the median of the rounds, figure by figure', () => {
    const figures = [1, 3, 2].map((n) => ({
      rowsPerSecond: n,
      peakMb: 10 * n,
      cpuUsPerRow: 100 - n,
      threadUsPerRow: { main: 50 + n, others: 48 - 2 * n },
    }));
    expect(medianOf(figures)).toEqual({
      rowsPerSecond: 2,
      peakMb: 20,
      cpuUsPerRow: 98,
      threadUsPerRow: { main: 52, others: 44 },
    });
  });

  test('has the CPU time of each thread at its end, for programs with worker threads', () => {
    const text = markdown([
      { ...line(1000, 'client', 10), threadUsPerRow: { main: 18, others: 2 } },
      {
        ...line(1000, 'storeport import', 8),
        threadUsPerRow: { main: 30.04, reader: 5, fold: 4, others: 2.2 },
      },
      {
        ...line(20_000, 'storeport validate', 9),
        title: 'validate',
        threadUsPerRow: { main: 3, mapping: 16.25, others: 21.9 },
      },
    ]);
    expect(text.slice(text.indexOf('### CPU'))).toBe(`### CPU µs a row, by thread

| comparison | records | program | main | fold | mapping | reader | others |
|---|--:|---|--:|--:|--:|--:|--:|
| import | 1,000 | storeport import | 30.0 | 4.0 | – | 5.0 | 2.2 |
| validate | 20,000 | storeport validate | 3.0 | – | 16.3 | – | 21.9 |`);
  });

  test('has no table of threads if no program has workers, or the system does not tell', () => {
    const client = { ...line(1000, 'client', 10), threadUsPerRow: { main: 18, others: 2 } };
    expect(markdown([client, line(1000, 'storeport import', 8)])).not.toContain('by thread');
  });

  test('replaces the text between the marks of the page, and nothing else', () => {
    const page = 'a\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nb\n';
    const now = inDocs(page, 'new');
    expect(now).toBe('a\n<!-- measured: begin -->\nnew\n<!-- measured: end -->\nb\n');
    expect(inDocs(now, 'new')).toBe(now);
    expect(() => inDocs('no marks', 'new')).toThrow(/lost its marks/);
  });
});

test('the short form compares the CPU time with that at the last release', () => {
  const ratios = ratiosOf([
    line(5000, 'client', 10),
    line(5000, 'storeport import', 5),
    line(5000, 'script', 1),
  ]);
  expect(ratios).toEqual({ import: { whole: 2.06, main: 2 } });
  const release = { version: '1.2.3', records: 5000, ratios: { import: { whole: 2.5, main: null } } };
  expect(besideRelease(ratios, release)).toBe('import: CPU 2.06 ×, main thread 2.00 × (1.2.3: CPU 2.50 ×)');
  expect(besideRelease(ratios, { ...release, ratios: {} })).toContain('(1.2.3: not measured)');
});
