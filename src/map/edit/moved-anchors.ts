import { type Alias, type Document, isNode, isScalar, type Node, type Pair, visit } from 'yaml';

/**
 * Moves the values that an entry names (`&name`) to the first place behind it that repeats them (`*name`). The entry is
 * about to change, and others still need these values.
 */
export function withMovedAnchors(text: string, document: Document, { value: own }: Pair): string {
  if (!isNode(own)) return text;
  const anchors = new Map<string, Node>();
  visit(own, { Value: (_key, node) => void (node.anchor && anchors.set(node.anchor, node)) });
  if (anchors.size === 0) return text;
  const end = own.range?.[1] ?? 0;
  const moved = new Map<string, Alias>();
  visit(document, {
    Alias(_key, alias) {
      const isBehind = (alias.range?.[0] ?? 0) >= end;
      if (isBehind && anchors.has(alias.source) && !moved.has(alias.source)) moved.set(alias.source, alias);
    },
  });
  const inOrder = [...moved].sort(([, a], [, b]) => (b.range?.[0] ?? 0) - (a.range?.[0] ?? 0));
  return inOrder.reduce((whole, [name, alias]) => {
    const node = anchors.get(name);
    const [from = 0, to = 0] = alias.range ?? [];
    const value = text.slice(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0).trimEnd();
    // Lines would need another indent there, and a text without quotes may end at a comma.
    const line = value.includes('\n') || isScalar(node) ? flowText(node, document) : value;
    return `${whole.slice(0, from)}&${name} ${line}${whole.slice(to)}`;
  }, text);
}

/** A value on one line. */
function flowText(node: Node | undefined, document: Document): string {
  return JSON.stringify(node?.toJS(document));
}
