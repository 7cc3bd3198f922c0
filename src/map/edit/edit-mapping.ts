import { type Document, isMap, isNode, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { ConfigError, ownValue } from '../../model/index.ts';
import { withNewPair, withoutPair, withPair, withPairAbove } from './cut-text.ts';
import { entryText, yamlEntryText } from './entry-text.ts';
import { findField, pairOf, pathTo } from './find-field.ts';
import { withMovedAnchors } from './moved-anchors.ts';

/** One change of a mapping's text. */
export type MappingChange =
  | { readonly set: string; readonly rule: unknown }
  /** `yaml`: the rule as text. */
  | { readonly set: string; readonly yaml: string }
  | { readonly remove: string }
  /** Columns that group rows into records. An empty list removes the group. */
  | { readonly groupBy: readonly string[] };

/**
 * Changes a mapping, and leaves all other lines as they are: comments, order and style belong to the person who wrote
 * them. So the text is cut at the places that the parser names. If the result does not mean what it should, since a
 * person may write YAML in ways that nobody thought of, the whole text is written anew from its parsed form. Throws
 * ConfigError if the text is not YAML, or has no list of fields.
 */
export function editMapping(given: string, change: MappingChange): string {
  const before = parsedMapping(given);
  const goal = goalOf(change, before.root);
  if (!goal) return given;
  const expected = withGoal(plainValue(before.document), goal);
  const pair = goal.found;
  const text = pair ? withMovedAnchors(given, before.document, pair) : given;
  const ready = text === given ? before : parsedMapping(text);
  for (const attempt of [cutText, rewritten]) {
    const result = attempt(ready, change, goal);
    if (result !== undefined && means(result, expected)) return result;
  }
  throw new ConfigError('The mapping cannot be changed at this place.', ['Change the text of the mapping.']);
}

/** Finds the rules of fields as they are in the text: undefined for a field without one. */
export function rulesIn(text: string): (field: string) => unknown {
  const document = parsed(text);
  const fields = isMap(document.contents) ? pairOf(document.contents, 'fields')?.value : undefined;
  return (field) => {
    const found = isMap(fields) ? findField(fields, field) : undefined;
    return found && isNode(found.pair.value) ? found.pair.value.toJS(document) : undefined;
  };
}

/** The entry that a change is about, and the value that it shall have. */
interface Goal {
  /** Keys that lead to it. */
  readonly path: readonly unknown[];
  /** Undefined if it is to be removed. */
  readonly value: unknown;
  /** The entry as it is; undefined if there is none. */
  readonly found: Pair | undefined;
}

/** Undefined if there is nothing to do. */
function goalOf(change: MappingChange, root: YAMLMap): Goal | undefined {
  if ('groupBy' in change) {
    const [only, ...others] = change.groupBy;
    const found = pairOf(root, 'group');
    if (only === undefined) return found && { path: ['group'], value: undefined, found };
    return { path: ['group'], value: { by: others.length === 0 ? only : change.groupBy }, found };
  }
  const field = 'set' in change ? change.set : change.remove;
  const found = findField(fieldsIn(root), field)?.pair;
  const path = found ? pathTo(root, found) : ['fields', field];
  if ('remove' in change) return found && { path, value: undefined, found };
  return { path, value: 'yaml' in change ? parsedRule(change.yaml) : change.rule, found };
}

function fieldsIn(root: YAMLMap): YAMLMap {
  const fields = pairOf(root, 'fields')?.value;
  if (!isMap(fields)) throw new ConfigError('The mapping cannot be changed: it has no list of fields.');
  return fields;
}

/** The text with the lines of the entry changed; undefined if it has no lines of its own. */
function cutText({ text, root }: ParsedMapping, change: MappingChange, { value }: Goal): string | undefined {
  if ('groupBy' in change) {
    const pair = pairOf(root, 'group');
    if (value === undefined) return pair && withoutPair(text, pair);
    const written = entryText('group', value);
    return pair ? withPair(text, pair, written) : withPairAbove(text, pairOf(root, 'fields'), written);
  }
  const field = 'set' in change ? change.set : change.remove;
  const fields = fieldsIn(root);
  const found = findField(fields, field);
  if (fields.flow || fields.items.length === 0 || found?.parent.flow) return undefined;
  // An object without fields would be a mistake.
  if ('remove' in change)
    return found && found.parent.items.length > 1 ? withoutPair(text, found.pair) : undefined;
  const key = found?.key ?? field;
  const written = 'yaml' in change ? yamlEntryText(key, change.yaml) : entryText(key, value);
  return found ? withPair(text, found.pair, written) : withNewPair(text, fields, written);
}

/** Serialises the parsed document with the entry changed. Changes the document. */
function rewritten({ document }: ParsedMapping, _change: MappingChange, { path, value }: Goal): string {
  if (value === undefined) document.deleteIn(emptiedBy(path, (parent) => sizeIn(document, parent)));
  else {
    const fields = document.get('fields');
    if (isMap(fields) && path[0] === 'fields') fields.flow = false;
    document.setIn(path, document.createNode(value, { aliasDuplicateObjects: false }));
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function sizeIn(document: Document, path: readonly unknown[]): number {
  const found = document.getIn(path);
  return isMap(found) ? found.items.length : 0;
}

/** Path of the object that goes with its last entry. The list of all fields stays, also if it is empty. */
function emptiedBy(
  path: readonly unknown[],
  sizeOf: (parent: readonly unknown[]) => number,
): readonly unknown[] {
  const parent = path.slice(0, -1);
  return path.length > 2 && sizeOf(parent) === 1 ? emptiedBy(parent, sizeOf) : path;
}

type Value = Record<string, unknown>;

/** The value of the whole mapping with the entry changed. Changes `root`. */
function withGoal(root: unknown, { path, value }: Goal): unknown {
  const at = (steps: readonly unknown[]) =>
    steps.reduce<Value>((object, step) => ownValue(object, String(step)) as Value, root as Value);
  const changed = value === undefined ? emptiedBy(path, (parent) => Object.keys(at(parent)).length) : path;
  const object = at(changed.slice(0, -1));
  const key = String(changed.at(-1));
  if (value === undefined) delete object[key];
  else object[key] = value;
  return root;
}

function means(text: string, expected: unknown): boolean {
  const document = parsed(text);
  return document.errors.length === 0 && isSame(plainValue(document), expected);
}

/** Compares plain values. An entry without a value is none, as in YAML. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [a as Value, b as Value];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.isArray(a) === Array.isArray(b) && [...keys].every((key) => isSame(one[key], other[key]));
}

function parsed(text: string): Document {
  return parseDocument(text, { prettyErrors: false, logLevel: 'error' });
}

interface ParsedMapping {
  readonly text: string;
  readonly document: Document;
  readonly root: YAMLMap;
}

/** Throws ConfigError. */
function parsedMapping(text: string): ParsedMapping {
  const document = parsed(text);
  const [fault] = document.errors;
  if (fault) throw new ConfigError(`The mapping cannot be changed, since it is not YAML: ${fault.message}`);
  const root = document.contents;
  if (!isMap(root)) throw new ConfigError('The mapping cannot be changed: it is not a list of keys.');
  return { text, document, root };
}

/** Throws ConfigError if a text repeats parts of itself too often. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigError(`The mapping cannot be changed: ${error.message}.`);
  }
}

/** Throws ConfigError if a rule is not YAML. */
function parsedRule(yaml: string): unknown {
  const document = parsed(yaml);
  const [fault] = document.errors;
  if (fault)
    throw new ConfigError(`The rule is not YAML: ${fault.message}`, ['Correct it, or undo the change.']);
  return plainValue(document);
}
