import type { Issue, Json, JsonObject } from '../../model/index.ts';
import type { ListRule } from '../mapping.ts';
import { addWarning, type EvalContext } from './eval-context.ts';

/** Items of a list so far. */
export interface CollectedItems {
  items: JsonObject[];
  /** Values by which items are unique; undefined until there is one. */
  seen: Set<string> | undefined;
  /** The value by which each item is sorted, by its index; undefined until there is one. */
  sortValues: (Json | undefined)[] | undefined;
}

/** Creates the test for items that are equal to an earlier one in these fields. Items without any of them never are. */
export function duplicateTest(
  unique: readonly string[],
): (collected: CollectedItems, item: JsonObject) => boolean {
  const paths = unique.map((field) => field.split('.'));
  return (collected, item) => {
    const mark = markOf(item, paths);
    if (mark === undefined) return false;
    if (collected.seen?.has(mark)) return true;
    collected.seen ??= new Set();
    collected.seen.add(mark);
    return false;
  };
}

/** Creates the last step of a field that these lists fill: sorts its items, cuts them, and compares them. */
export function listFinisher(
  lists: readonly ListRule[],
  name: string,
): ((context: EvalContext, collected: CollectedItems, issuesBefore: number) => void) | undefined {
  const isSorted = lists.some(({ sort }) => sort !== undefined);
  const limit = lists.find((list) => list.limit !== undefined)?.limit;
  const distinct = lists.find((list) => list.distinct !== undefined)?.distinct;
  if (!isSorted && limit === undefined && !distinct) return undefined;
  const by = distinct?.by.map((field) => field.split('.'));
  return (context, collected, issuesBefore) => {
    if (collected.sortValues) sortItems(context, collected, { name, issuesBefore });
    if (limit !== undefined && collected.items.length > limit) collected.items.length = limit;
    if (distinct && by && haveEqual(collected.items, by)) addWarning(context, distinct.warn);
  };
}

/** Sorts items by their values, and keeps their places and issues with them. */
function sortItems(
  { issues, prefix, trace }: EvalContext,
  collected: CollectedItems,
  { name, issuesBefore }: { readonly name: string; readonly issuesBefore: number },
): void {
  const { items, sortValues = [] } = collected;
  const order = items.map((_item, index) => index);
  order.sort((a, b) => compared(sortValues[a], sortValues[b]));
  collected.items = order.map((index) => items[index] as JsonObject);
  trace?.numbers.set(prefix + name, order.map(String));
  const positions = new Map(order.map((before, position) => [String(before), position]));
  const list = `${prefix}${name}.`;
  for (let index = issuesBefore; index < issues.length; index++) {
    const issue = issues[index] as Issue;
    if (!issue.field?.startsWith(list)) continue;
    const [before = '', ...rest] = issue.field.slice(list.length).split('.');
    issues[index] = { ...issue, field: list + [positions.get(before) ?? before, ...rest].join('.') };
  }
}

/** Numbers come first, in their order, then texts by their letters, and then items without a value. */
function compared(a: Json | undefined, b: Json | undefined): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  if (first !== second) return first - second;
  if (first === NUMBERS) return Number(a) - Number(b);
  const [text, other] = [String(a), String(b)];
  return text < other ? -1 : text > other ? 1 : 0;
}

const [NUMBERS, TEXTS, NOTHING] = [0, 1, 2];
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

function rankOf(value: Json | undefined): number {
  if (value === undefined || value === null) return NOTHING;
  return typeof value === 'number' || PLAIN_NUMBER.test(String(value)) ? NUMBERS : TEXTS;
}

/** True if two items have the same values at these paths. Items without any of them are not compared. */
function haveEqual(items: readonly JsonObject[], by: readonly (readonly string[])[]): boolean {
  if (items.length < 2) return false;
  const marks = items.map((item) => markOf(item, by)).filter((mark) => mark !== undefined);
  return new Set(marks).size < marks.length;
}

/** The values of an item at these paths as one text; undefined if it has none of them. */
function markOf(item: JsonObject, paths: readonly (readonly string[])[]): string | undefined {
  const values = paths.map((path) => valueAt(item, path));
  return values.every((value) => value === undefined) ? undefined : JSON.stringify(values);
}

export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  return found;
}
