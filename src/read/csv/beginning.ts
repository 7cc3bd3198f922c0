import type { TableLayout } from '../options.ts';
import { suggestLayout } from '../table/layout.ts';
import { findTitles, type Titles } from '../table/titles.ts';
import { type SourceText, withoutMark } from '../text.ts';
import { detectDialect, firstRows, type NamedDialect } from './dialect.ts';

// Looks for the header at the beginning of a text, if it may be below other lines.

/** The parts of the dialect that the options and the name of the file say. */
export function namedDialect({ file, settings }: SourceText): NamedDialect {
  return {
    delimiter: settings.delimiter ?? (settings.format === 'tsv' ? '\t' : undefined),
    quote: settings.quote,
    tabs: /\.(?:tsv|tab)(?:\.gz)?$/i.test(file),
  };
}

/** Suggests a layout for a file whose header is unknown; see `suggestLayout`. */
export function suggestionFor(text: SourceText, layout: TableLayout): readonly string[] {
  return suggestLayout(layout, beginningOf(text).trial);
}

/** Finds titles above the header; see `findTitles`. */
export function titlesIn(text: SourceText): Titles | undefined {
  return findTitles(beginningOf(text));
}

function beginningOf(text: SourceText) {
  const named = namedDialect(text);
  const beginning = withoutMark(text.head).toString();
  const lines = beginning.split(LINE_END);
  const above = (count: number) => lines.slice(0, count).join('\n');
  const below = (count: number) => lines.slice(count).join('\n');
  const dialectOf = (rest: string) => detectDialect(rest, text.ended, named);
  return {
    rows: firstRows(beginning, text.ended, dialectOf(beginning)),
    isCut: !text.ended,
    trial(count: number) {
      if (count >= lines.length) return undefined;
      const dialect = dialectOf(below(count));
      return {
        above: firstRows(above(count), true, dialect),
        rows: firstRows(below(count), text.ended, dialect),
      };
    },
  };
}

const LINE_END = /\r\n|\n|\r/;
