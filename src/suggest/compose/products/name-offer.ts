import type { LeftOut } from '../../draft.ts';
import { looksLikeCodes, texts } from '../../match/fits.ts';
import { says } from '../../names/read-name.ts';
import { isBlankCell } from '../../profile/profile.ts';
import type { ReadColumn } from '../../sample.ts';
import { textRule } from '../rules.ts';

/** Certainty of a column that has a different short text for each record, if its name does not say that this is the name. */
const MOST = 0.8;
/** A longer text is not a name. */
const LONGEST = 150;
/** Most exports of accounting software call the name of an article its description. */
const NEAR_NAMES = ['description', 'short', 'title', 'text', 'product', 'model'] as const;

/**
 * Finds the column that is most likely the name of the records if none is called so: texts that are short, filled and
 * different. It is offered, never used without a question. `records`: the rows of each record.
 */
export function offerName(
  columns: readonly ReadColumn[],
  records: readonly (readonly number[])[],
): LeftOut | undefined {
  const scored = columns
    .map((column) => ({ column, score: MOST * evidence(column, records) }))
    .filter(({ score }) => score > MOST / 2)
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  return (
    best && {
      column: best.column.name,
      field: 'name',
      why: 'it is not called a name, but no other column is more like one',
      rule: textRule(best.column),
      score: best.score,
      sample: best.column.profile.filled[0] ?? '',
    }
  );
}

/** Share of the records that have a text of their own in this column, 0 to 1; 0 if its texts are no names. */
function evidence(column: ReadColumn, records: readonly (readonly number[])[]): number {
  const { reading, profile, cells } = column;
  const isNear = NEAR_NAMES.some((concept) => says(reading, concept));
  if (!isNear && reading.terms.length > 0) return 0;
  if (texts(column) === 0 || looksLikeCodes(column) || says(reading, 'html') || profile.share('html') > 0)
    return 0;
  const filled = records.map(([row]) => cells[row ?? -1]?.trim() ?? '').filter((cell) => !isBlankCell(cell));
  if (filled.some((cell) => cell.length > LONGEST)) return 0;
  return records.length === 0 ? 0 : new Set(filled).size / records.length;
}
