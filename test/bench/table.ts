import type { Figures } from './jobs.ts';

/** One program with one number of records, as a row of the table. */
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

/** `20,000 records: 0.74 × HTTP client alone, 4.4 × script`: rows a second of storeport relative to the others. */
function ratios(lines: readonly Line[]): string[] {
  return lines
    .filter(({ name }) => name.startsWith('storeport'))
    .map((own) => {
      const others = lines.filter((line) => line.records === own.records && line !== own);
      const said = others.map(
        ({ name, rowsPerSecond }) => `${(own.rowsPerSecond / rowsPerSecond).toFixed(2)} × ${name}`,
      );
      return `- ${own.records.toLocaleString('en')} records: ${own.name} is ${said.join(', ')}`;
    });
}

/** A table for each comparison, and its summary below. */
export function markdown(lines: readonly Line[]): string {
  const titles = [...new Set(lines.map(({ title }) => title))];
  return titles
    .map((title) => {
      const own = lines.filter((line) => line.title === title);
      const rows = own.map((line) => {
        return [
          line.records.toLocaleString('en'),
          line.name,
          Math.round(line.rowsPerSecond).toLocaleString('en'),
          String(Math.round(line.peakMb)),
          String(Math.round(line.cpuUsPerRow)),
        ];
      });
      return [
        `### ${title}`,
        '',
        '| records | program | rows/s | peak MB | CPU µs a row |',
        '|--:|---|--:|--:|--:|',
        ...rows.map((cells) => `| ${cells.join(' | ')} |`),
        '',
        ...ratios(own),
      ].join('\n');
    })
    .join('\n\n');
}

const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

/** The page with the table between its marks. Throws an ordinary Error if they are missing. */
export function inDocs(page: string, table: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('docs/benchmarks.md has lost its marks');
  return `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`;
}
