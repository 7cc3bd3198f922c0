import type { Row } from '../model/index.ts';

/** Moves the lead of a record to the front: the first row for which `isLead` returns true, otherwise the first row. */
export function withLead(rows: readonly Row[], isLead: ((row: Row) => boolean) | undefined): readonly Row[] {
  const place = isLead ? rows.findIndex(isLead) : 0;
  if (place <= 0) return rows;
  return [rows[place] as Row, ...rows.slice(0, place), ...rows.slice(place + 1)];
}
