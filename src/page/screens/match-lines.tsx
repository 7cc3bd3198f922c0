import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MappingView } from '../../ui/api/index.ts';

interface Line {
  readonly key: string;
  readonly path: string;
  readonly isChosen: boolean;
}

/** Lines between columns and the fields that read them, for those that are in sight. They repeat what the lists say. */
export function MatchLines({
  area,
  view,
  chosen,
}: {
  readonly area: RefObject<HTMLElement | null>;
  readonly view: MappingView;
  readonly chosen: string;
}) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    const root = area.current;
    if (!root) return;
    let frame = 0;
    const draw = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setLines(linesIn(root, view, chosen)));
    };
    draw();
    root.addEventListener('scroll', draw, true);
    addEventListener('resize', draw);
    return () => {
      cancelAnimationFrame(frame);
      root.removeEventListener('scroll', draw, true);
      removeEventListener('resize', draw);
    };
  }, [area, view, chosen]);
  return (
    <svg class="lines" aria-hidden="true">
      {lines.map(({ key, path, isChosen }) => (
        <path key={key} d={path} class={isChosen ? 'chosen' : undefined} />
      ))}
    </svg>
  );
}

function linesIn(root: HTMLElement, view: MappingView, chosen: string): Line[] {
  const origin = root.getBoundingClientRect();
  const boxes = [...root.querySelectorAll<HTMLElement>('.side')].map((side) => side.getBoundingClientRect());
  const [left, right] = boxes;
  if (!left || !right || right.left < left.right) return [];
  const placesOf = (name: 'column' | 'field', box: DOMRect) =>
    new Map(
      [...root.querySelectorAll<HTMLElement>(`.entry[data-${name}]`)].flatMap((entry) => {
        const { top, bottom } = entry.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return middle < box.top + 40 || middle > box.bottom
          ? []
          : [[entry.dataset[name], middle - origin.top]];
      }),
    );
  const [columns, fields] = [placesOf('column', left), placesOf('field', right)];
  const [from, to] = [left.right - origin.left, right.left - origin.left];
  const middle = (from + to) / 2;
  return view.fields.flatMap(({ path, rule }) =>
    (rule?.columns ?? []).flatMap((column) => {
      const [a, b] = [columns.get(column), fields.get(path)];
      if (a === undefined || b === undefined) return [];
      const curve = `M${from} ${a}C${middle} ${a} ${middle} ${b} ${to} ${b}`;
      return [{ key: `${column}\n${path}`, path: curve, isChosen: path === chosen }];
    }),
  );
}
