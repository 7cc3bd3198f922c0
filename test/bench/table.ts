import type { Figures } from './jobs.ts';

/** One program over one number of records, as it stands in the table. */
export interface Line extends Figures {
  readonly title: string;
  readonly records: number;
  readonly name: string;
}

export function medianOf(all: readonly Figures[]): Figures {
  const middle = (pick: (figures: Figures) => number) =>
    all.map(pick).sort((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? Number.NaN;
  return {
    rowsPerSecond: middle(({ rowsPerSecond }) => rowsPerSecond),
    peakMb: middle(({ peakMb }) => peakMb),
    cpuUsPerRow: middle(({ cpuUsPerRow }) => cpuUsPerRow),
  };
}

/** A table for each comparison. The ratio is that of rows a second to the first program of the same size. */
export function markdown(lines: readonly Line[]): string {
  const titles = [...new Set(lines.map(({ title }) => title))];
  return titles
    .map((title) => {
      const own = lines.filter((line) => line.title === title);
      const rows = own.map((line) => {
        const first = own.find(({ records }) => records === line.records) as Line;
        return [
          line.records.toLocaleString('en'),
          line.name,
          Math.round(line.rowsPerSecond).toLocaleString('en'),
          (line.rowsPerSecond / first.rowsPerSecond).toFixed(2),
          String(Math.round(line.peakMb)),
          String(Math.round(line.cpuUsPerRow)),
        ];
      });
      return [
        `### ${title}`,
        '',
        '| records | program | rows/s | ratio | peak MB | CPU µs a row |',
        '|--:|---|--:|--:|--:|--:|',
        ...rows.map((cells) => `| ${cells.join(' | ')} |`),
      ].join('\n');
    })
    .join('\n\n');
}

const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

/** The page with the table between its marks. Throws an ordinary Error where they are missing. */
export function inDocs(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('docs/benchmarks.md has lost its marks');
  return `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`;
}
