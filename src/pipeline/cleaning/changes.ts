import { HYGIENE } from './cell.ts';
import { CHANGE_KINDS } from './change-kind.ts';

/** Changes of one kind. */
export interface Change {
  readonly kind: string;
  readonly says: string;
  /** Number of cells. */
  readonly count: number;
  /** The first such cell. */
  readonly example: ChangedCell;
}

/** A changed cell, with its text before and after. */
export interface ChangedCell {
  readonly file: string;
  readonly row: number;
  readonly column: string;
  readonly before: string;
  readonly after: string;
}

/** Counts changes by kind. Its size depends on the number of kinds, not of cells. */
export interface Changes {
  add(kind: string, cell: ChangedCell): void;
  /** Adds those of the next rows. */
  merge(changes: readonly Change[]): void;
  /** In the order in which they are applied to a cell. */
  all(): Change[];
}

export function createChanges(): Changes {
  const known = new Map<string, { count: number; example: ChangedCell }>();
  return {
    add(kind, cell) {
      const change = known.get(kind);
      if (change) change.count++;
      else known.set(kind, { count: 1, example: cell });
    },
    merge(changes) {
      for (const { kind, count, example } of changes) {
        const change = known.get(kind);
        if (change) change.count += count;
        else known.set(kind, { count, example });
      }
    },
    all: () =>
      [...HYGIENE, ...CHANGE_KINDS].flatMap(({ kind, says }) => {
        const change = known.get(kind);
        return change ? [{ kind, says, ...change }] : [];
      }),
  };
}
