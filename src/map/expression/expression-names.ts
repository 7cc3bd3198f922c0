/** Names in an expression, from its syntax tree. */
export interface ExpressionNames {
  /** All names of fields, wherever they occur. */
  readonly names: readonly string[];
  /** Names that are fields of a row, not of a value inside it. */
  readonly columns: readonly string[];
  /** Variables and functions, without the `$`, that the expression does not define itself. */
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
  const own = new Set(nodes.flatMap(definedBy));
  return {
    names: [...new Set(valuesOf('name'))],
    columns: [...columnsIn(root)],
    free: [...new Set(valuesOf('variable'))].filter((name) => !own.has(name)),
  };
}

/** The variables that a node defines: `$x := …`, `function($x)`, `a@$x`, `a#$x`. */
function definedBy(node: AstNode): string[] {
  const { type, lhs, arguments: given, focus, index } = node as AstNode & Parts;
  return [
    ...(type === 'bind' ? [String((lhs as AstNode).value)] : []),
    ...(type === 'lambda' ? (given as AstNode[]).map(({ value }) => String(value)) : []),
    ...[focus, index].filter((name) => typeof name === 'string'),
  ];
}

type Parts = Readonly<Record<string, unknown>>;

/**
 * Names that are read from a row. Steps of a path are evaluated in sequence: the first starts at a row, the next at the
 * result of the previous one.
 */
function columnsIn(root: unknown): Set<string> {
  const found = new Set<string>();
  /** Variables that hold rows. */
  const rows = new Set(['$', 'rows']);

  /** `onRow`: true if `part` is applied to a row. Returns true if its result is a row too. */
  function visit(part: unknown, onRow: boolean): boolean {
    if (typeof part !== 'object' || part === null || part instanceof RegExp) return false;
    if (Array.isArray(part)) return part.map((each) => visit(each, onRow)).pop() ?? false;
    const { stages, predicate, group, ...node } = part as AstNode & Parts;
    const isRow = visitNode(node as AstNode & Parts, onRow);
    visit([stages, predicate, group], isRow);
    return isRow;
  }

  function visitNode({ type, value, ...parts }: AstNode & Parts, onRow: boolean): boolean {
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
        // A transformation applies to its own input, not to the row.
        visit(Object.values(parts), onRow && type !== 'transform');
        return type === 'sort' && onRow;
    }
  }

  visit(root, true);
  return found;
}
