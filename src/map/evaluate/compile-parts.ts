import type { Json } from '../../model/index.ts';
import type { NamedParts } from '../mapping.ts';
import { meansPart } from '../references.ts';
import { compileValue } from './compile-value.ts';
import { addIssue, type EvalContext, type NameResolver, type Part, readPart } from './eval-context.ts';

/** Combinations of the parts of one record. More would be a mistake of the mapping, and fill the memory. */
const MOST_COMBINATIONS = 2000;

/** Iterates over the parts of values. `inner` resolves the references to the current parts. */
export interface CompiledParts {
  readonly inner: NameResolver;
  each(context: EvalContext, visit: () => void): void;
}

/**
 * Compiles the values of a list over parts. With several values, visits all combinations of their parts. A value without
 * parts takes no part in the combinations, unless all are without.
 */
export function compileParts(
  parts: readonly NamedParts[],
  resolver: NameResolver,
  field: string,
): CompiledParts {
  const values = parts.map(({ name, value }) => ({
    name,
    evaluate: compileValue(value, resolver, field),
    current: { item: null, number: 0, at: NOWHERE } as Part,
  }));
  const inner: NameResolver = {
    ...resolver,
    resolveReference(reference) {
      const own = values.find(({ name }) => meansPart(reference, name));
      return own ? readPart(own.current, own.name, reference) : resolver.resolveReference(reference);
    },
    parts: new Map([...resolver.parts, ...values.map(({ name, current }) => [name, current] as const)]),
  };

  function visitFrom(index: number, found: readonly FoundParts[], visit: () => void): void {
    const { items, current, at } = found[index] ?? {};
    if (!items || !current) {
      visit();
      return;
    }
    for (const [number, item] of (items.length > 0 ? items : [null]).entries()) {
      current.item = item;
      current.number = number + 1;
      if (at) current.at = at;
      visitFrom(index + 1, found, visit);
    }
  }

  return {
    inner,
    each(context, visit) {
      const found = values.map(({ evaluate, current }): FoundParts => {
        const value = evaluate(context);
        return { items: value === undefined ? [] : [value].flat(), current, at: { ...context.at } };
      });
      if (found.every(({ items }) => items.length === 0)) return;
      const count = found.reduce((product, { items }) => product * Math.max(1, items.length), 1);
      if (count > MOST_COMBINATIONS) {
        const message = `the lists have ${count} combinations, more than ${MOST_COMBINATIONS}: leave a list out of each, or correct the cells`;
        addIssue(context, field, { code: 'too-many-items', message });
        return;
      }
      visitFrom(0, found, visit);
    },
  };
}

/** The parts of one value in a record. */
interface FoundParts {
  readonly items: readonly Json[];
  readonly current: Part;
  /** The cell that they were split from. */
  readonly at: EvalContext['at'];
}

/** Place before the first part is read. */
const NOWHERE = { row: { table: { file: '', header: [] }, row: 0, line: 0, cells: [] }, column: -1 };
