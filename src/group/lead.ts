import type { Row } from '../model/index.ts';

/** The rows of a record with its lead row first: the first for which `isLead` holds, else the first of all. */
export function withLead(rows: readonly Row[], isLead: ((row: Row) => boolean) | undefined): readonly Row[] {
  const place = isLead ? rows.findIndex(isLead) : 0;
  if (place <= 0) return rows;
  return [rows[place] as Row, ...rows.slice(0, place), ...rows.slice(place + 1)];
}
