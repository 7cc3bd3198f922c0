import { useCallback, useMemo, useState } from 'preact/hooks';
import type { GridRow } from './grid-row.tsx';

const LEAST = 96;
const MOST = 900;
/** Beyond this, a long text is cut until the column is made wider. */
const MOST_FITTED = 320;
const LETTER = 7.6;
const AROUND = 36;

export interface ColumnWidths {
  readonly widthOf: (column: number) => number;
  readonly setWidth: (column: number, width: number) => void;
}

/** Widths that fit the header and the first rows, until the user changes one. */
export function useWidths(columns: readonly string[], sample: readonly GridRow[]): ColumnWidths {
  const [chosen, setChosen] = useState<ReadonlyMap<number, number>>(new Map());
  const isKnown = sample.length > 0;
  const fitted = useMemo(
    () =>
      columns.map((name, column) => {
        const longest = sample.reduce(
          (most, { cells }) => Math.max(most, cells[column]?.length ?? 0),
          name.length,
        );
        return Math.round(Math.min(MOST_FITTED, Math.max(LEAST, longest * LETTER + AROUND)));
      }),
    // The sample is read once: columns must not jump while one scrolls.
    [columns.join('\n'), isKnown],
  );
  const widthOf = useCallback(
    (column: number) => chosen.get(column) ?? fitted[column] ?? LEAST,
    [chosen, fitted],
  );
  const setWidth = useCallback(
    (column: number, width: number) =>
      setChosen((before) => new Map(before).set(column, Math.min(MOST, Math.max(LEAST, Math.round(width))))),
    [],
  );
  return { widthOf, setWidth };
}
