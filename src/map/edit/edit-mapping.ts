import {
  type Alias,
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { ConfigError } from '../../model/index.ts';

/** One change of a mapping's text. */
export type MappingChange =
  | { readonly set: string; readonly rule: unknown }
  /** `yaml`: the rule as text. */
  | { readonly set: string; readonly yaml: string }
  | { readonly remove: string }
  /** Columns that group rows into records; none takes the group away. */
  | { readonly groupBy: readonly string[] };

/**
 * Changes a mapping, and leaves all other lines as they are: comments, order and style belong to the person who wrote
 * them. So the text is cut at the places that the parser names, and not written anew. Throws ConfigError if the text is
 * not YAML, or has no list of fields.
 */
export function editMapping(given: string, change: MappingChange): string {
  const field = 'set' in change ? change.set : 'remove' in change ? change.remove : undefined;
  const text = field === undefined ? given : withMovedAnchors(given, field);
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault) throw new ConfigError(`The mapping cannot be changed, since it is not YAML: ${fault.message}`);
  const root = document.contents;
  if (!isMap(root)) throw new ConfigError('The mapping cannot be changed: it is not a list of keys.');
  if ('groupBy' in change) return withGroup(text, root, change.groupBy);
  const fields = pairOf(root, 'fields');
  const map = fields?.value;
  if (!isMap(map)) throw new ConfigError('The mapping cannot be changed: it has no list of fields.');
  if (field === undefined) return text;
  const found = findField(map, field);
  if ('remove' in change) return found ? withoutPair(text, found) : text;
  const rule = 'yaml' in change ? parsedRule(change.yaml) : change.rule;
  // A map on one line, or an empty one, has no lines to put between.
  if (map.flow || map.items.length === 0 || found?.parent.flow) return rewritten(text, field, rule);
  const written =
    'yaml' in change ? yamlEntry(found?.key ?? field, change.yaml) : entry(found?.key ?? field, rule);
  if (found) return withPair(text, found, written);
  const last = map.items.at(-1) as Pair;
  const indent = indentOf(text, startOf(map.items[0] as Pair));
  const at = endOf(text, last);
  return `${text.slice(0, at)}\n${indented(written, indent)}${text.slice(at)}`;
}

/** Finds the rules of fields as they are in the text: undefined for a field without one. */
export function rulesIn(text: string): (field: string) => unknown {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const fields = isMap(document.contents) ? pairOf(document.contents, 'fields')?.value : undefined;
  return (field) => {
    const found = isMap(fields) ? findField(fields, field) : undefined;
    return found && isNode(found.pair.value) ? found.pair.value.toJS(document) : undefined;
  };
}

/** A rule as YAML of its own. */
export function ruleText(rule: unknown): string {
  const document = new Document({ rule }, { aliasDuplicateObjects: false });
  const [pair] = (document.contents as YAMLMap).items as Pair[];
  putOnOneLine(pair?.value);
  const text = document.toString({ lineWidth: WIDTH, flowCollectionPadding: true }).replace(/^rule:\s?/, '');
  return text.replaceAll(/^ {2}/gm, '').trim();
}

const WIDTH = 110;

/**
 * Moves what the rule of a field names by `&name`, and others repeat by `*name`, to the first that repeats it: the field is
 * about to lose it.
 */
function withMovedAnchors(text: string, field: string): string {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const fields = isMap(document.contents) ? pairOf(document.contents, 'fields')?.value : undefined;
  const pair = isMap(fields) ? findField(fields, field)?.pair : undefined;
  if (!isNode(pair?.value)) return text;
  const own = pair.value;
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

interface FoundField {
  readonly pair: Pair;
  /** Its key as written there: below `price`, only `salePrice`. */
  readonly key: string;
  readonly parent: YAMLMap;
}

/** Finds `price.salePrice`, also as `salePrice` below `price`. */
function findField(map: YAMLMap, field: string): FoundField | undefined {
  const pair = pairOf(map, field);
  if (pair) return { pair, key: field, parent: map };
  for (const each of map.items as Pair[]) {
    const key = keyOf(each);
    if (field.startsWith(`${key}.`) && isMap(each.value))
      return findField(each.value, field.slice(key.length + 1));
  }
  return undefined;
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return (map.items as Pair[]).find((pair) => keyOf(pair) === name);
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function startOf({ key }: Pair): number {
  return (key as Node).range?.[0] ?? 0;
}

/** The end of an entry without the line ends and comments behind it. */
function endOf(text: string, { key, value }: Pair): number {
  const node = (isNode(value) ? value : key) as Node;
  const end = node.range?.[1] ?? 0;
  return startOfBlanks(text, Math.max(end, (key as Node).range?.[1] ?? 0));
}

function startOfBlanks(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

function withPair(text: string, { pair }: FoundField, written: string): string {
  const from = withoutDoubt(text, startOf(pair));
  const indent = indentOf(text, startOf(pair));
  return text.slice(0, from) + indented(written, indent).slice(indent.length) + text.slice(endOf(text, pair));
}

function withoutPair(text: string, { pair, parent }: FoundField): string {
  if (parent.flow || parent.items.length === 1) {
    const document = parseDocument(text);
    const path = pathTo(document.contents as YAMLMap, pair);
    // An object without fields would be a mistake, unless it is the list of all.
    while (path.length > 2 && (document.getIn(path.slice(0, -1)) as YAMLMap).items.length === 1) path.pop();
    document.deleteIn(path);
    return document.toString({ lineWidth: 0, flowCollectionPadding: true });
  }
  const start = lineStart(text, withoutDoubt(text, startOf(pair)));
  const end = text.indexOf('\n', endOf(text, pair));
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
}

/** Keys that lead to an entry, found by its place in the text. */
function pathTo(map: YAMLMap, wanted: Pair): string[] {
  for (const pair of map.items as Pair[]) {
    if (startOf(pair) === startOf(wanted)) return [keyOf(pair)];
    if (!isMap(pair.value)) continue;
    const inner = pathTo(pair.value, wanted);
    if (inner.length > 0) return [keyOf(pair), ...inner];
  }
  return [];
}

/** The start of the doubt of a suggestion, such as `# 60 %: …`, above an entry: it is settled with a change. */
function withoutDoubt(text: string, start: number): number {
  const line = lineStart(text, start);
  const above = lineStart(text, Math.max(0, line - 1));
  const isDoubt = line > 0 && /^\s*# \d+ %: /.test(text.slice(above, line));
  return isDoubt ? above + indentOf(text, above).length : start;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function indentOf(text: string, at: number): string {
  return /^ */.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

/** An entry as lines without an indent. */
function entry(key: string, rule: unknown): string {
  const document = new Document({ [key]: rule }, { aliasDuplicateObjects: false });
  const [pair] = (document.contents as YAMLMap).items as Pair[];
  putOnOneLine(pair?.value);
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true }).trimEnd();
}

/** An entry whose rule a person wrote. */
function yamlEntry(key: string, yaml: string): string {
  const name = new Document(key).toString().trim();
  const lines = yaml.trim();
  const isShort = !lines.includes('\n') && !/^[-?] /.test(lines) && !/^[^{["'&*!|>]*: /.test(lines);
  return isShort ? `${name}: ${lines}` : `${name}:\n${indented(lines, '  ')}`;
}

function putOnOneLine(node: unknown): void {
  if ((isMap(node) || isSeq(node)) && JSON.stringify(node.toJSON()).length < 0.8 * WIDTH) node.flow = true;
}

/** Throws ConfigError if a rule is not YAML. */
function parsedRule(yaml: string): unknown {
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault)
    throw new ConfigError(`The rule is not YAML: ${fault.message}`, ['Correct it, or undo the change.']);
  return document.toJS({ maxAliasCount: 100 });
}

/** Writes the whole text anew, with a field in it. */
function rewritten(text: string, field: string, rule: unknown): string {
  const document = parseDocument(text);
  const fields = document.get('fields');
  if (isMap(fields)) fields.flow = false;
  document.setIn(['fields', field], rule);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function withGroup(text: string, root: YAMLMap, by: readonly string[]): string {
  const pair = pairOf(root, 'group');
  if (by.length === 0) return pair ? withoutPair(text, { pair, key: 'group', parent: root }) : text;
  const written = entry('group', { by: by.length === 1 ? by[0] : by });
  if (pair) return withPair(text, { pair, key: 'group', parent: root }, written);
  const fields = pairOf(root, 'fields');
  const at = lineStart(text, fields ? startOf(fields) : text.length);
  return `${text.slice(0, at)}${written}\n${text.slice(at)}`;
}
