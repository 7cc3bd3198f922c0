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
  const threads = all[0]?.threadUsPerRow;
  return {
    rowsPerSecond: middle(({ rowsPerSecond }) => rowsPerSecond),
    peakMb: middle(({ peakMb }) => peakMb),
    cpuUsPerRow: middle(({ cpuUsPerRow }) => cpuUsPerRow),
    threadUsPerRow:
      threads &&
      Object.fromEntries(
        Object.keys(threads).map((name) => [
          name,
          middle(({ threadUsPerRow }) => threadUsPerRow?.[name] ?? 0),
        ]),
      ),
  };
}

/** CPU time of the main thread; undefined if the system does not report it. */
export function mainUsPerRow({ threadUsPerRow }: Figures): number | undefined {
  return threadUsPerRow?.main;
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
        const [ownMain, otherMain] = [mainUsPerRow(own), mainUsPerRow(other)];
        const main = ownMain && otherMain ? `, main thread ${(ownMain / otherMain).toFixed(2)} ×` : '';
        const cpu = `CPU ${(own.cpuUsPerRow / other.cpuUsPerRow).toFixed(2)} ×${main}`;
        return `${(own.rowsPerSecond / other.rowsPerSecond).toFixed(2)} × ${other.name} (${cpu})`;
      });
      return `- ${own.records.toLocaleString('en')} records: ${own.name} is ${said.join(', ')}`;
    });
}

/** Formats microseconds with this number of digits behind the point; a dash if there is no figure. */
function figureOr(us: number | undefined, digits: number): string {
  return us === undefined ? '–' : us.toFixed(digits);
}

/** A table for each comparison, with its summary below, and one of the threads if a program has several. */
export function markdown(lines: readonly Line[]): string {
  return [...comparisonTables(lines), ...threadTable(lines)].join('\n\n');
}

/** Threads that every program has. All others are workers. */
const OF_EVERY_PROGRAM = ['main', 'others'];

/** CPU time of the programs with worker threads. For those without, the tables of the comparisons say enough. */
function threadTable(lines: readonly Line[]): string[] {
  const namesIn = ({ threadUsPerRow = {} }: Line) =>
    Object.keys(threadUsPerRow).filter((name) => !OF_EVERY_PROGRAM.includes(name));
  const threaded = lines.filter((line) => namesIn(line).length > 0);
  if (threaded.length === 0) return [];
  // Sorted, since the order in which threads start differs between runs.
  const names = ['main', ...[...new Set(threaded.flatMap(namesIn))].sort(), 'others'];
  const rows = threaded.map(({ title, records, name, threadUsPerRow }) => [
    title,
    records.toLocaleString('en'),
    name,
    ...names.map((thread) => figureOr(threadUsPerRow?.[thread], 1)),
  ]);
  const table = [
    '### CPU µs a row, by thread',
    '',
    `| comparison | records | program | ${names.join(' | ')} |`,
    `|---|--:|---|${'--:|'.repeat(names.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
  return [table.join('\n')];
}

function comparisonTables(lines: readonly Line[]): string[] {
  const titles = [...new Set(lines.map(({ title }) => title))];
  return titles.map((title) => {
    const own = lines.filter((line) => line.title === title);
    const rows = own.map((line) => {
      return [
        line.records.toLocaleString('en'),
        line.name,
        Math.round(line.rowsPerSecond).toLocaleString('en'),
        Number.isNaN(line.peakMb) ? '–' : String(Math.round(line.peakMb)),
        String(Math.round(line.cpuUsPerRow)),
        figureOr(mainUsPerRow(line), 0),
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
  });
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
