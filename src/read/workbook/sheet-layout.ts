import { type Issue, isOwnColumn } from '../../model/index.ts';
import { nameOf, reportLayout } from '../messages.ts';
import type { TableLayout } from '../options.ts';
import { suggestLayout } from '../table/layout.ts';
import { findTitles, type Titles, titlesWarning } from '../table/titles.ts';
import type { SheetRow } from './sheet.ts';

/**
 * Returns the layout that the options name, without titles that are plainly above the header if they name none. A report such
 * as errors.xlsx has its own layout, whatever its source had.
 */
export function sheetLayout(
  layout: TableLayout,
  ahead: readonly SheetRow[],
  { file, onWarning }: { readonly file: string; readonly onWarning: (warning: Issue) => void },
): TableLayout & { readonly skipLines: number } {
  const { skipLines = 0, noHeader } = layout;
  if (layout.skipLines === undefined && !noHeader) {
    const titles = titlesIn(ahead);
    if (titles !== undefined) onWarning(titlesWarning(file, titles, 'row'));
    return { ...layout, skipLines: titles?.lines ?? 0 };
  }
  const isGiven = skipLines > 0 || noHeader;
  if (!isGiven || !ahead[0]?.cells.some(isOwnColumn)) return { ...layout, skipLines };
  onWarning({ code: 'report-layout', message: reportLayout(nameOf(file)) });
  return { ...layout, skipLines: 0, noHeader: false };
}

/** Suggests a layout for a sheet whose header is unknown; see `suggestLayout`. */
export function sheetSuggestion(ahead: readonly SheetRow[], layout: TableLayout): readonly string[] {
  return suggestLayout(layout, trialOf(ahead));
}

/** The rows of a sheet lack their last empty cells, so they are filled up to its header. */
function titlesIn(ahead: readonly SheetRow[]): Titles | undefined {
  const beginning = ahead.slice(0, MAX_TITLE_ROWS);
  const trial = trialOf(beginning);
  return findTitles({
    rows: filledUp(beginning.map(({ cells }) => cells)),
    trial(lines) {
      const { above, rows } = trial(lines);
      return { above: filledUp(above, rows[0]), rows: filledUp(rows) };
    },
  });
}

/** Rows that show whether titles are above the header: as many as are looked at in a text. */
const MAX_TITLE_ROWS = 42;

function trialOf(ahead: readonly SheetRow[]) {
  return (lines: number) => ({
    above: ahead.filter(({ number }) => number <= lines).map(({ cells }) => cells),
    rows: ahead.filter(({ number }) => number > lines).map(({ cells }) => cells),
  });
}

function filledUp(rows: readonly (readonly string[])[], { length = 0 } = rows[0] ?? []) {
  return rows.map((row) => [...row, ...Array.from({ length: Math.max(0, length - row.length) }, () => '')]);
}
