import type { ColumnCandidate } from '../match/candidate.ts';
import type { Concept } from '../words/concepts.ts';

/**
 * Reads a column called `Option` as the names of options if another one is called `Value`: alone it has the values. A name repeats more
 * often than its values do. Numbered columns, such as `Attribute 1` and `Value 1`, are pairs if they have the same numbers.
 */
export function readOptionPairs<Column extends ColumnCandidate>(
  columns: readonly Column[],
): readonly Column[] {
  const only = (concept: Concept) =>
    columns.filter(
      ({ reading: { terms, unknown }, numbers, reading }) =>
        terms.length === 1 &&
        terms[0]?.includes(concept) &&
        unknown.length === 0 &&
        (numbers !== undefined || reading.numbers.length === 0),
    );
  const [option, ...options] = only('option');
  const [value, ...values] = only('value').filter((each) => each !== option);
  if (!option || !value || options.length > 0 || values.length > 0) return columns;
  if (String(option.numbers) !== String(value.numbers)) return columns;
  const areAmounts = value.profile.filled.every((cell) => /[.,]\d\d\D{0,4}$/.test(cell));
  if (areAmounts || option.profile.distinct.size >= value.profile.distinct.size) return columns;
  return columns.map((column) => {
    if (column === option) return withTerm(column, 'name');
    return column === value ? withTerm(column, 'option') : column;
  });
}

function withTerm<Column extends ColumnCandidate>(column: Column, concept: Concept): Column {
  const { reading } = column;
  return { ...column, reading: { ...reading, terms: [...reading.terms, [concept]] } };
}
