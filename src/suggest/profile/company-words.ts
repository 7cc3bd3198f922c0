import { type LookupResolver, STEPS } from '../../map/index.ts';

const NO_TABLES: LookupResolver = { find: () => ({ missing: 'unknown' }) };

/** The first or the last name out of a whole one, as the step of mappings takes it; undefined if it has none. */
export function personPart(part: 'first' | 'last', whole: string): string | undefined {
  const step = STEPS.find(({ name }) => name === 'person');
  const value = step?.make(step.args.parse(part))(whole, () => undefined, NO_TABLES);
  return value === undefined ? undefined : String(value);
}

/** True for the name of a company by its legal form, such as `Bygg AB`, which is not split. */
export function isCompanyName(cell: string): boolean {
  const [first, last] = [personPart('first', cell), personPart('last', cell)];
  return (
    first !== undefined &&
    first === last &&
    first.toLowerCase() === cell.trim().replace(/\s+/g, ' ').toLowerCase()
  );
}
