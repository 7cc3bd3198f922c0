import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { FixesView, FixRow, FixRows, FixRowsView } from '../../ui/api/index.ts';
import { get, post, type RequestFailed } from '../client.ts';
import type { CellChange } from '../grid/selection.ts';
import { type Pages, usePages } from '../grid/use-pages.ts';
import { plural } from '../text.ts';
import { versionQuery } from '../use-edits.ts';
import { asFailure } from '../use-load.ts';

export interface RowFixes {
  readonly pages: Pages<FixRow>;
  readonly edit: (wanted: FixRows) => void;
  /** Sets the text of cells of the shown rows. They are shown at once. */
  readonly set: (cells: readonly CellChange[]) => void;
  readonly isSaving: boolean;
  /** The result of the last edit in words. */
  readonly said: string;
  readonly failure: RequestFailed | undefined;
}

/**
 * Rows of a run with their corrections. Edits are sent one after another: each is made on top of the one before. Rows are
 * fetched again when all are sent.
 */
export function useFixes(
  run: string,
  cause: number | undefined,
  {
    shown,
    onEdited,
    onElsewhere,
  }: {
    /** Version of the corrections that are shown. */
    readonly shown: string;
    readonly onEdited: (edited: FixesView) => void;
    /** Called when the rows were changed elsewhere, such as in another tab. */
    readonly onElsewhere: () => void;
  },
): RowFixes {
  const [waiting, setWaiting] = useState(0);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<RequestFailed>();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const open = useRef(0);
  const version = useRef(shown);
  const elsewhere = useRef(onElsewhere);
  elsewhere.current = onElsewhere;
  const query = cause === undefined ? '' : `&cause=${cause}`;
  const fetchPage = useCallback(
    async (from: number, count: number) => {
      const rows: FixRow[] = [];
      // The server sends fewer than wanted if their texts are long.
      for (let isMore = true; isMore; ) {
        const part = `from=${from + rows.length}&count=${count - rows.length}`;
        const known = version.current;
        const found = await get<FixRowsView>(`/runs/${run}/rows?${part}${query}`);
        if (found.version !== known && known === version.current && open.current === 0) {
          version.current = found.version;
          setSaid('The rows were changed elsewhere, and are shown as they are now.');
          elsewhere.current();
          latest.current.reload();
        }
        rows.push(...found.rows);
        isMore = found.rows.length > 0 && rows.length < Math.min(count, found.total - from);
      }
      return rows;
    },
    [run, query],
  );
  const pages = usePages<FixRow>(fetchPage);
  const latest = useRef(pages);
  latest.current = pages;
  useEffect(() => setSaid(''), [cause]);

  const send = (make: () => Promise<FixRows | undefined>) => {
    open.current++;
    setWaiting(open.current);
    setFailure(undefined);
    last.current = last.current
      .then(make)
      .then(async (wanted) => {
        if (!wanted) return;
        const edited = await post<FixesView>(`/runs/${run}/rows${versionQuery(version.current)}`, wanted);
        version.current = edited.version;
        onEdited(edited);
        setSaid(saidOf(wanted, edited));
      })
      .catch((error: unknown) => setFailure(asFailure(error)))
      .finally(() => {
        open.current--;
        setWaiting(open.current);
        if (open.current === 0) latest.current.reload();
      });
  };
  return {
    pages,
    said,
    isSaving: waiting > 0,
    failure: failure ?? pages.failure,
    edit: (wanted) => send(async () => wanted),
    set(cells) {
      if (cells.length === 0) return;
      const [from, to] = boundsOf(cells);
      pages.patch(withTexts(cells), from, to);
      send(async () => {
        const rows = await pages.rowsOf(from, to);
        const changes = cells.flatMap(({ row, column, text }) => {
          const index = rows[row - from]?.index;
          return index === undefined ? [] : [{ index, column, text }];
        });
        return changes.length === 0 ? undefined : { op: 'set', cells: changes };
      });
    },
  };
}

function saidOf({ op }: FixRows, { changed }: FixesView): string {
  if (op === 'drop' || op === 'keep') return '';
  return changed === 0 ? 'No cell was changed.' : `${plural(changed, 'cell')} changed.`;
}

function boundsOf(cells: readonly CellChange[]): readonly [number, number] {
  return cells.reduce<readonly [number, number]>(
    ([from, to], { row }) => [Math.min(from, row), Math.max(to, row)],
    [Infinity, 0],
  );
}

/** Shows new texts before the server has answered. Rows without one stay the same objects. */
function withTexts(cells: readonly CellChange[]): (row: FixRow, index: number) => FixRow {
  const byRow = new Map<number, CellChange[]>();
  for (const cell of cells) {
    const own = byRow.get(cell.row);
    if (own) own.push(cell);
    else byRow.set(cell.row, [cell]);
  }
  return (row, index) => {
    const own = byRow.get(index);
    if (!own) return row;
    const texts = [...row.cells];
    for (const { column, text } of own) texts[column] = text;
    const changed = new Set(own.map(({ column }) => column));
    return {
      ...row,
      cells: texts,
      fits: false,
      // A new text is not known to be wrong.
      marks: row.marks.filter((column) => !changed.has(column)),
      edited: [...new Set([...row.edited, ...changed])],
    };
  };
}
