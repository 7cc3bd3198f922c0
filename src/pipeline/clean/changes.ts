import type { Origin } from '../../model/index.ts';
import { HYGIENE } from './cell.ts';
import { READINGS } from './change-kind.ts';

/** Changes of one kind. */
export interface Change {
  readonly kind: string;
  readonly says: string;
  /** Number of cells. */
  readonly count: number;
  /** The first such cell. */
  readonly example: ChangedCell & { readonly before: string; readonly after: string };
}

export interface ChangedCell extends Pick<Origin, 'file' | 'row'> {
  readonly column: string;
}

/** Counts changes by kind. Its size depends on the number of kinds, not of cells. */
export interface Changes {
  add(kind: string, cell: ChangedCell, before: string, after: string): void;
  /** In the order in which they are applied to a cell. */
  all(): Change[];
}

export function createChanges(): Changes {
  const known = new Map<string, { count: number; example: Change['example'] }>();
  return {
    add(kind, { file, row, column }, before, after) {
      const change = known.get(kind);
      if (change) change.count++;
      else known.set(kind, { count: 1, example: { file, row, column, before, after } });
    },
    all: () =>
      [...HYGIENE, ...READINGS].flatMap(({ kind, says }) => {
        const change = known.get(kind);
        return change ? [{ kind, says, ...change }] : [];
      }),
  };
}
