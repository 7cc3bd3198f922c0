import { useMemo, useState } from 'preact/hooks';
import type { RecordIssue } from '../../ui/api/index.ts';
import type { RecordPartProps } from './record-cells.tsx';
import { isInside, moveInList, type RecordFocus, ValueRow, ValueText } from './record-row.tsx';

interface Tree {
  readonly columnsOf: ReadonlyMap<string, readonly string[]>;
  readonly issues: readonly RecordIssue[];
  readonly isLinked: (path: string) => boolean;
  /** Path of the row that Tab reaches. */
  readonly stop: string;
  readonly onFocus: (focus: RecordFocus, path: string) => void;
}

/** The payload of a record as a nested list, or as JSON. Fields that the column in focus goes to are marked. */
export function RecordPayload({
  record,
  focus,
  onFocus,
  isRaw,
  onRaw,
}: RecordPartProps & { readonly isRaw: boolean; readonly onRaw: (isRaw: boolean) => void }) {
  const { payload, links, issues } = record;
  const [stop, setStop] = useState<string>();
  const columnsOf = useMemo(
    () => new Map(links.map(({ field, columns }) => [field, columns.filter((name) => name !== '')])),
    [links],
  );
  const fields = links
    .filter(({ columns }) => focus.column !== undefined && columns.includes(focus.column))
    .map(({ field }) => field);
  const paths = pathsIn(payload);
  // Issues about fields that the payload does not have.
  const missing = issues.filter(({ field }) => field !== undefined && !paths.has(field));
  const tree: Tree = {
    ...{ columnsOf, issues, stop: stop ?? missing[0]?.field ?? [...paths][0] ?? '' },
    isLinked: (path) => fields.some((field) => isInside(path, field)),
    onFocus(next, path) {
      if (next.field !== undefined) setStop(path);
      onFocus(next);
    },
  };
  return (
    <section aria-label="Payload" onKeyDown={moveInList}>
      <div class="payload-head">
        <h2>For the store</h2>
        <button type="button" class="plain" aria-pressed={isRaw} onClick={() => onRaw(!isRaw)}>
          As JSON
        </button>
      </div>
      {isRaw ? (
        <pre class="raw">{JSON.stringify(payload, null, 2)}</pre>
      ) : (
        <dl class="values">
          {missing.map((issue) => (
            <Leaf
              key={`${issue.field} ${issue.message}`}
              tree={{ ...tree, issues: [issue] }}
              name={issue.field ?? ''}
              path={issue.field ?? ''}
              value=""
            />
          ))}
          {Object.entries(payload).map(([name, value]) => (
            <Node key={name} tree={tree} name={name} path={name} value={value} />
          ))}
        </dl>
      )}
    </section>
  );
}

interface NodeProps {
  readonly tree: Tree;
  readonly name: string;
  /** Dotted, from the top. */
  readonly path: string;
  readonly value: unknown;
}

/** A value; or a group of values, in a list of its own. */
function Node({ tree, name, path, value }: NodeProps) {
  if (isPlain(value)) return <Leaf tree={tree} name={name} path={path} value={value} />;
  const entries = Object.entries(value as object);
  const isList = Array.isArray(value);
  return (
    <div class="group">
      <dt>{name}</dt>
      <dd>
        <dl class="values">
          {entries.map(([key, inner]) => (
            <Node
              key={key}
              tree={tree}
              name={isList ? String(Number(key) + 1) : key}
              path={`${path}.${key}`}
              value={inner}
            />
          ))}
        </dl>
      </dd>
    </div>
  );
}

function Leaf({ tree, name, path, value }: NodeProps) {
  const columns = tree.columnsOf.get(path) ?? [];
  return (
    <ValueRow
      name={name}
      note={columns.length > 0 ? `← ${columns.join(', ')}` : ''}
      issues={tree.issues.filter(({ field }) => field === path)}
      isLinked={tree.isLinked(path)}
      isStop={tree.stop === path}
      onFocus={(isIn) => tree.onFocus(isIn ? { field: path } : {}, path)}
    >
      <ValueText value={Array.isArray(value) ? value.join(', ') : value} />
    </ValueRow>
  );
}

/** True for a single value, a list of single values, and what is empty. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const inner = Object.values(value);
  if (inner.length === 0) return true;
  return Array.isArray(value) && inner.every((item) => typeof item !== 'object' || item === null);
}

/** The paths of all values that are shown in one row. */
function pathsIn(value: unknown, path = ''): Set<string> {
  if (path !== '' && isPlain(value)) return new Set([path]);
  return new Set(
    Object.entries(value as object).flatMap(([key, inner]) => [
      ...pathsIn(inner, path === '' ? key : `${path}.${key}`),
    ]),
  );
}
