import { useMemo, useState } from 'preact/hooks';
import type { RecordIssue, RecordView } from '../../ui/api/index.ts';
import { counted, plural } from '../text.ts';
import { isInside, moveInList, type RecordFocus, ValueRow, ValueText } from './record-row.tsx';

/** Cells of a row up to which all are shown. */
const FEW = 60;
/** Unread cells that are shown at once: a row may have thousands. */
const MOST_UNREAD = 500;
/** Fields that are named beside a cell. */
const NAMED = 2;

export interface RecordPartProps {
  readonly record: RecordView;
  readonly focus: RecordFocus;
  readonly onFocus: (focus: RecordFocus) => void;
}

/** The cells of a record, row by row. Those that the field in focus comes from are marked. */
export function RecordCells({ record, focus, onFocus }: RecordPartProps) {
  const { rows, links, issues } = record;
  const fieldsOf = useMemo(() => fieldsByColumn(record), [record]);
  const [stop, setStop] = useState('');
  const linked = new Set(
    links.filter(({ field }) => isInside(field, focus.field)).flatMap(({ columns }) => columns),
  );
  const [first] = rows;
  const firstName = `${first?.row} ${Object.keys(first?.cells ?? {})[0]}`;
  return (
    <section aria-label="Cells" onKeyDown={moveInList}>
      <h2>In the file</h2>
      {rows.map(({ row, cells }) => (
        <RowCells
          key={row}
          row={row}
          cells={cells}
          isRead={(column) => fieldsOf.has(column)}
          show={(column, cell) => (
            <ValueRow
              key={column}
              name={column}
              note={noteOf(fieldsOf.get(column) ?? [])}
              issues={issuesAt(issues, row, column)}
              isLinked={linked.has(column)}
              isStop={(stop === '' ? firstName : stop) === `${row} ${column}`}
              onFocus={(isIn) => {
                if (isIn) setStop(`${row} ${column}`);
                onFocus(isIn ? { column } : {});
              }}
            >
              <ValueText value={cell} />
            </ValueRow>
          )}
          hasIssue={(column) => issuesAt(issues, row, column).length > 0}
        />
      ))}
    </section>
  );
}

function RowCells({
  row,
  cells,
  isRead,
  hasIssue,
  show,
}: {
  readonly row: number;
  readonly cells: Readonly<Record<string, unknown>>;
  readonly isRead: (column: string) => boolean;
  readonly hasIssue: (column: string) => boolean;
  readonly show: (column: string, cell: unknown) => preact.JSX.Element;
}) {
  const [most, setMost] = useState(0);
  const all = Object.entries(cells);
  const isWide = all.length > FEW;
  const shown = isWide ? all.filter(([column]) => isRead(column) || hasIssue(column)) : all;
  const unread = isWide ? all.filter(([column]) => !isRead(column) && !hasIssue(column)) : [];
  const left = unread.length - most;
  return (
    <div>
      <h3>Row {counted(row)}</h3>
      <dl class="values">{shown.map(([column, cell]) => show(column, cell))}</dl>
      {most > 0 ? (
        <>
          <p class="small quiet">Columns that no field reads</p>
          <dl class="values">{unread.slice(0, most).map(([column, cell]) => show(column, cell))}</dl>
        </>
      ) : null}
      {left > 0 ? (
        <p>
          <button type="button" onClick={() => setMost(most + MOST_UNREAD)}>
            {most === 0 && left <= MOST_UNREAD
              ? `Show ${plural(left, 'cell')} that no field reads`
              : `Show ${counted(Math.min(left, MOST_UNREAD))} of ${plural(left, 'cell')} that no field reads`}
          </button>
        </p>
      ) : null}
    </div>
  );
}

function issuesAt(issues: readonly RecordIssue[], row: number, column: string): readonly RecordIssue[] {
  return issues.filter((issue) => issue.column === column && (issue.row ?? row) === row);
}

function fieldsByColumn({ links }: RecordView): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const { field, columns } of links)
    for (const column of columns) fields.set(column, [...(fields.get(column) ?? []), field]);
  return fields;
}

function noteOf(fields: readonly string[]): string {
  // The same field of all items of a list is named once.
  const names = [...new Set(fields.map((field) => field.replaceAll(/\.\d+(?=\.|$)/g, '')))];
  if (names.length === 0) return '';
  const more = names.length - NAMED;
  return `→ ${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${counted(more)} more` : ''}`;
}
