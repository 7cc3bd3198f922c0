import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { indented } from './entry-text.ts';
import { startOf } from './find-field.ts';

/** Replaces an entry by other lines. A comment behind it stays behind it. */
export function withPair(text: string, pair: Pair, written: string): string {
  const from = withoutDoubt(text, entryStart(text, pair));
  const indent = indentOf(text, entryStart(text, pair));
  const end = endOf(text, pair);
  const rest = text.slice(end);
  const [comment = ''] = /^[ \t]*#[^\r\n]*/.exec(rest) ?? [];
  // Behind a text in lines, the comment would become a part of the text.
  if (comment !== '' && endsInLines(written)) {
    const lines = indented(`${comment.trim()}\n${written}`, indent).slice(indent.length);
    return text.slice(0, from) + withLineEnds(lines, text) + rest.slice(comment.length);
  }
  return text.slice(0, from) + withLineEnds(indented(written, indent).slice(indent.length), text) + rest;
}

/** Adds lines behind the last entry of a map, and behind the comment on its line. */
export function withNewPair(text: string, map: YAMLMap, written: string): string {
  const pairs = map.items as Pair[];
  const last = pairs.at(-1) as Pair;
  const lines = indented(written, indentOf(text, entryStart(text, pairs[0] as Pair)));
  const kept = keptLinesEnd(text, last);
  if (kept !== undefined) return text.slice(0, kept) + withLineEnds(`${lines}\n`, text) + text.slice(kept);
  const at = lineEnd(text, endOf(text, last));
  return text.slice(0, at) + withLineEnds(`\n${lines}`, text) + text.slice(at);
}

/** Adds lines above an entry, or at the end. */
export function withPairAbove(text: string, pair: Pair | undefined, written: string): string {
  const at = pair ? lineStart(text, entryStart(text, pair)) : text.length;
  return text.slice(0, at) + withLineEnds(`${written}\n`, text) + text.slice(at);
}

/** Removes the lines of an entry. */
export function withoutPair(text: string, pair: Pair): string {
  const start = lineStart(text, withoutDoubt(text, entryStart(text, pair)));
  const end = text.indexOf('\n', endOf(text, pair));
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
}

/** The start of an entry: of its key, or of the `?` before it. */
function entryStart(text: string, pair: Pair): number {
  const start = startOf(pair);
  const [mark = ''] = /\?\s+$/.exec(text.slice(lineStart(text, start), start)) ?? [];
  return start - mark.length;
}

/** The end of an entry without the line ends and comments behind it. */
function endOf(text: string, { key, value }: Pair): number {
  const node = (isNode(value) ? value : key) as Node;
  let at = Math.max(node.range?.[1] ?? 0, (key as Node).range?.[1] ?? 0);
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

/** The end of the empty lines that belong to the last text of an entry (`|+`); undefined for other entries. */
function keptLinesEnd(text: string, { value }: Pair): number | undefined {
  const last = lastNode(value);
  if (!isInLines(last)) return undefined;
  const [from = 0, to = 0] = last?.range ?? [];
  return /^[|>]\d?\+/.test(text.slice(from, to)) && text[to - 1] === '\n' ? to : undefined;
}

function endsInLines(written: string): boolean {
  return isInLines(lastNode(parseDocument(written, { logLevel: 'error' }).contents));
}

/** True for a text of the forms `|` and `>`. */
function isInLines(node: Node | undefined): boolean {
  return isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
}

/** The value that ends where the whole ends. */
function lastNode(node: unknown): Node | undefined {
  if (isMap(node)) return lastNode((node.items as Pair[]).at(-1)?.value);
  if (isSeq(node)) return lastNode(node.items.at(-1));
  return isNode(node) ? node : undefined;
}

/** The start of the doubt of a suggestion, such as `# 60 %: …`, above an entry: it is settled with a change. */
function withoutDoubt(text: string, start: number): number {
  const line = lineStart(text, start);
  const above = lineStart(text, Math.max(0, line - 1));
  const isDoubt = line > 0 && /^\s*# \d+ %: /.test(text.slice(above, line));
  return isDoubt ? above + indentOf(text, above).length : start;
}

/** Lines that end as those of the text do. */
function withLineEnds(lines: string, text: string): string {
  return text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function indentOf(text: string, at: number): string {
  return /^ */.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}
