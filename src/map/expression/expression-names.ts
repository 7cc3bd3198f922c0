/** What an expression speaks of, as its syntax tree tells. */
export interface ExpressionNames {
  /** All names of fields in it, wherever they stand. */
  readonly names: readonly string[];
  /** Those of them that are fields of a row, and not of something inside of it. */
  readonly columns: readonly string[];
  /** Its variables and functions, without the `$`, that it does not make itself. */
  readonly free: readonly string[];
}

export interface AstNode {
  readonly type: string;
  readonly value: unknown;
  /** The operands of a binary operator. */
  readonly lhs?: unknown;
  readonly rhs?: unknown;
}

export function namesIn(nodes: readonly AstNode[], root: unknown): ExpressionNames {
  const valuesOf = (type: string) =>
    nodes.flatMap((node) => (node.type === type ? [String(node.value)] : []));
  const own = new Set(nodes.flatMap(madeBy));
  return {
    names: [...new Set(valuesOf('name'))],
    columns: [...columnsIn(root)],
    free: [...new Set(valuesOf('variable'))].filter((name) => !own.has(name)),
  };
}

/** The variables that a part of an expression makes: `$x := …`, `function($x)`, `a@$x`, `a#$x`. */
function madeBy(node: AstNode): string[] {
  const { type, lhs, arguments: given, focus, index } = node as AstNode & Parts;
  return [
    ...(type === 'bind' ? [String((lhs as AstNode).value)] : []),
    ...(type === 'lambda' ? (given as AstNode[]).map(({ value }) => String(value)) : []),
    ...[focus, index].filter((name) => typeof name === 'string'),
  ];
}

type Parts = Readonly<Record<string, unknown>>;

/** The steps of a path are taken one behind the other: the first begins at a row, and the next where that one led. */
function columnsIn(root: unknown): Set<string> {
  const found = new Set<string>();
  /** Variables that rows were put into. */
  const rows = new Set(['$', 'rows']);

  /** `onRow`: whether it is said of a row. Gives whether what comes of it is one too. */
  function visit(part: unknown, onRow: boolean): boolean {
    if (typeof part !== 'object' || part === null || part instanceof RegExp) return false;
    if (Array.isArray(part)) return part.map((each) => visit(each, onRow)).pop() ?? false;
    const { stages, predicate, group, ...node } = part as AstNode & Parts;
    const isRow = made(node as AstNode & Parts, onRow);
    visit([stages, predicate, group], isRow);
    return isRow;
  }

  function made({ type, value, ...parts }: AstNode & Parts, onRow: boolean): boolean {
    switch (type) {
      case 'path':
        return (parts.steps as unknown[]).reduce<boolean>((on, step) => visit(step, on), onRow);
      case 'name':
        if (onRow) found.add(String(value));
        return false;
      case 'variable':
        return value === '' ? onRow : rows.has(String(value));
      case 'block':
        return visit(parts.expressions, onRow);
      case 'bind': {
        const isRow = visit(parts.rhs, onRow);
        if (isRow) rows.add(String((parts.lhs as AstNode).value));
        return isRow;
      }
      default:
        // A transformation is said of what comes from elsewhere.
        visit(Object.values(parts), onRow && type !== 'transform');
        return type === 'sort' && onRow;
    }
  }

  visit(root, true);
  return found;
}
