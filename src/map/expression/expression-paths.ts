import type { AstNode } from './expression-names.ts';

/** A path of names that an expression reads, such as `price.salePrice`. */
export interface FieldRead {
  /** The variable that the path begins at, without the `$`; '' for the input of the expression. */
  readonly from: string;
  readonly steps: readonly string[];
  /** The path is read for each item of a filter, a function or an object, and not once. */
  readonly inItems: boolean;
  /** The expression asks whether the path has a value: it is in `$exists( )` or `$count( )`. */
  readonly isAsked: boolean;
}

/** A value whose place is known. */
type Place = Pick<FieldRead, 'from' | 'steps'> | undefined;

type Parts = Readonly<Record<string, unknown>>;

/** Functions that are about whether there is a value. */
const ASKS: ReadonlySet<unknown> = new Set(['exists', 'count']);
/** Functions that call their second argument with each item of the first. */
const FOR_ITEMS: ReadonlySet<unknown> = new Set(['map', 'filter', 'single']);

const INPUT: Place = { from: '', steps: [] };

/**
 * Returns the paths that an expression reads from its input, or from one of `variables`, in the order of its text. Paths whose
 * beginning is not certain are left out: those in values that the expression makes, and after `*` or `%`.
 */
export function pathsIn(root: unknown, variables: readonly string[]): FieldRead[] {
  const found: FieldRead[] = [];
  let placeOf = new Map<string, Place>(variables.map((name) => [name, { from: name, steps: [] }]));
  placeOf.set('$', INPUT);
  let isAsked = false;

  function note(place: Place, inItems: boolean): void {
    if (place && place.steps.length > 0) found.push({ ...place, inItems, isAsked });
  }

  /** Reads a part whose input is at `input`. Returns the place of its value. */
  function visit(part: unknown, input: Place, inItems: boolean): Place {
    if (typeof part !== 'object' || part === null || part instanceof RegExp) return undefined;
    if (Array.isArray(part)) {
      let last: Place;
      for (const each of part) last = visit(each, input, inItems);
      return last;
    }
    const node = part as AstNode & Parts;
    const place = visitNode(node, input, inItems);
    if (typeof node.focus === 'string') placeOf.set(node.focus, undefined);
    if (typeof node.index === 'string') placeOf.set(node.index, undefined);
    visit([node.stages, node.predicate, node.group], place, true);
    // A group makes an object of its own.
    return typeof node.focus === 'string' || node.group ? undefined : place;
  }

  function visitPath(steps: readonly unknown[], input: Place, inItems: boolean): Place {
    let place = input;
    for (const [at, step] of steps.entries()) {
      const next = visit(step, place, inItems || at > 0);
      if (next === undefined && at > 0) note(place, inItems);
      place = next;
    }
    note(place, inItems);
    return place;
  }

  function visitCall({ procedure, arguments: given }: Parts, input: Place, inItems: boolean): void {
    const called = procedure as AstNode;
    const [first, second] = given as readonly (AstNode & Parts)[];
    const before = isAsked;
    isAsked ||= ASKS.has(called.value);
    const items = visit(first, input, inItems);
    isAsked = before;
    const [item] = second?.type === 'lambda' ? (second.arguments as AstNode[]) : [];
    const isForItems = FOR_ITEMS.has(called.value) && item !== undefined;
    visit(isForItems ? undefined : second, input, inItems);
    if (isForItems) visitLambda(second as Parts, input, items);
    visit((given as unknown[]).slice(2), input, inItems);
    if (called.type !== 'variable') visit(called, input, inItems);
  }

  /** Forgets the variables that a block or a function defines: outside, the same names mean others. */
  function inScope(visitInside: () => Place): Place {
    const outside = new Map(placeOf);
    const place = visitInside();
    placeOf = outside;
    return place;
  }

  /** `item`: the place of the first argument. */
  function visitLambda({ arguments: given, body }: Parts, input: Place, item: Place): void {
    inScope(() => {
      for (const [at, { value }] of (given as AstNode[]).entries())
        placeOf.set(String(value), at === 0 ? item : undefined);
      return visit(body, input, true);
    });
  }

  function visitNode(node: AstNode & Parts, input: Place, inItems: boolean): Place {
    switch (node.type) {
      case 'path':
        return visitPath(node.steps as unknown[], input, inItems);
      case 'name':
        return input && { ...input, steps: [...input.steps, String(node.value)] };
      case 'variable':
        return node.value === '' ? input : placeOf.get(String(node.value));
      case 'block':
        return inScope(() => visit(node.expressions, input, inItems));
      case 'bind': {
        const place = visit(node.rhs, input, inItems);
        placeOf.set(String((node.lhs as AstNode).value), place);
        return place;
      }
      case 'function':
      case 'partial':
        visitCall(node, input, inItems);
        return undefined;
      case 'lambda':
        visitLambda(node, input, undefined);
        return undefined;
      case 'apply': {
        const { lhs, rhs } = node as { readonly lhs?: unknown; readonly rhs?: AstNode };
        if (rhs?.type === 'variable') visitCall({ procedure: rhs, arguments: [lhs] }, input, inItems);
        else visit([lhs, rhs], input, inItems);
        return undefined;
      }
      case 'sort':
        visit(node.terms, input, true);
        return input;
      case 'transform':
        // It applies to its own input.
        return undefined;
      case 'unary':
        // `-x` reads its input like other operators. A list or an object may be a step, which is read for each item.
        visit([node.expression, node.expressions, node.lhs], input, inItems);
        return undefined;
      default:
        visit(
          [node.lhs, node.rhs, node.condition, node.then, node.else, node.expression, node.expr],
          input,
          inItems,
        );
        return undefined;
    }
  }

  visit(root, INPUT, false);
  return found;
}
