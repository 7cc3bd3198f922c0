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
    mainUsPerRow: all[0]?.mainUsPerRow && middle(({ mainUsPerRow = Number.NaN }) => mainUsPerRow),
  };
}

/**
 * `20,000 records: 0.74 × HTTP client alone (CPU 2.4 ×, main thread 2.2 ×), 4.4 × script`: rows a second of storeport
 * relative to the others, and CPU time a row. The CPU time counts more than the speed on a machine that others use.
 */
function ratios(lines: readonly Line[]): string[] {
  return lines
    .filter(({ name }) => name.startsWith('storeport'))
    .map((own) => {
      const others = lines.filter((line) => line.records === own.records && line !== own);
      const said = others.map((other) => {
        const main =
          own.mainUsPerRow && other.mainUsPerRow
            ? `, main thread ${(own.mainUsPerRow / other.mainUsPerRow).toFixed(2)} ×`
            : '';
        const cpu = `CPU ${(own.cpuUsPerRow / other.cpuUsPerRow).toFixed(2)} ×${main}`;
        return `${(own.rowsPerSecond / other.rowsPerSecond).toFixed(2)} × ${other.name} (${cpu})`;
      });
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
          Number.isNaN(line.peakMb) ? '–' : String(Math.round(line.peakMb)),
          String(Math.round(line.cpuUsPerRow)),
          line.mainUsPerRow === undefined ? '–' : String(Math.round(line.mainUsPerRow)),
        ];
      });
      return [
        `### ${title}`,
        '',
        '| records | program | rows/s | peak MB | CPU µs a row | of that, main thread |',
        '|--:|---|--:|--:|--:|--:|',
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
