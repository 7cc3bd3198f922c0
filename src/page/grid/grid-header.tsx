import { useRef } from 'preact/hooks';
import type { WindowItem } from './use-window.ts';

/** Names of the columns. An edge can be dragged; the keyboard changes widths with Alt, Shift and the arrows. */
export function GridHeader({
  names,
  columns,
  first,
  onWidth,
}: {
  readonly names: readonly string[];
  readonly columns: readonly WindowItem[];
  /** Pixels of the first column. */
  readonly first: number;
  readonly onWidth: (column: number, width: number) => void;
}) {
  return (
    <div class="header" role="row" aria-rowindex={1}>
      <div class="cell first" role="columnheader" aria-colindex={1} style={{ width: `${first}px` }}>
        Row
      </div>
      {columns.map(({ index, start, size }) => (
        <div
          key={index}
          class="cell"
          role="columnheader"
          aria-colindex={index + 2}
          title={names[index]}
          dir="auto"
          style={{ left: `${start}px`, width: `${size}px` }}
        >
          {names[index]}
          <Edge size={size} onWidth={(width) => onWidth(index, width)} />
        </div>
      ))}
    </div>
  );
}

function Edge({ size, onWidth }: { readonly size: number; readonly onWidth: (width: number) => void }) {
  const from = useRef<{ readonly x: number; readonly size: number } | undefined>(undefined);
  return (
    <div
      class="edge"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, size };
      }}
      onPointerMove={({ clientX }) => {
        const { current } = from;
        if (current) onWidth(current.size + clientX - current.x);
      }}
      onPointerUp={() => {
        from.current = undefined;
      }}
    />
  );
}
