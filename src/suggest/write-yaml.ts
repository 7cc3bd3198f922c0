import { Document, isMap, isNode, isSeq, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { cutText, type JsonObject } from '../model/index.ts';
import type { DraftField, LeftOut, MappingDraft } from './draft.ts';
import { skippedText } from './structure/stray-skip.ts';

const WIDTH = 120;

/**
 * Writes a draft as a mapping file. Comments say what is uncertain, and what was left out. `reading`: how the file is read, for
 * its key `source`.
 */
export function writeYaml(
  { resource, group, carry = [], key, skips = [], fields, check, leftOut, notUsed = [] }: MappingDraft,
  source: string,
  reading?: JsonObject,
): string {
  const skipped = skips.filter(({ when }) => when !== undefined);
  const continues = group?.empty === 'continues';
  const document = new Document(
    {
      resource,
      ...(reading === undefined ? {} : { source: reading }),
      ...(key === undefined ? {} : { key }),
      ...(group === undefined ? {} : { group }),
      ...(carry.length === 0 ? {} : { carry }),
      ...(skipped.length === 0
        ? {}
        : {
            skip: skipped.map(({ when }) => ({ when, ...(continues ? { alone: true } : {}) })),
          }),
      fields: Object.fromEntries(fields.map(({ field, rule }) => [field, rule])),
      ...(check === undefined ? {} : { check }),
    },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore = ` Suggested for ${oneLine(source)}. Check it before you import.`;
  const root = document.contents as YAMLMap;
  for (const pair of root.items as Pair<Scalar<string>, unknown>[])
    if (pair.key.value === 'fields') addDoubts(pair.value as YAMLMap, fields);
    else if (pair.key.value === 'source') {
      const cut = skips.find(({ isCut }) => isCut);
      if (cut) pair.key.commentBefore = ` ${oneLine(skippedText(cut))}`;
      putOnOneLine(pair.value, WIDTH);
    } else if (pair.key.value === 'skip') {
      pair.key.commentBefore = skipped.map((skip) => ` ${oneLine(skippedText(skip))}`).join('\n');
      putOnOneLine(pair.value, WIDTH);
    } else putOnOneLine(pair.value, WIDTH);
  const text = document.toString({ lineWidth: WIDTH, flowCollectionPadding: true });
  const left = leftOut.length === 0 ? '' : `\n# Left out:\n${leftOut.map(leftOutLine).join('')}`;
  return `${text}${left}${notUsedLine(notUsed)}`;
}

/** Names that are listed of columns that are not used. */
const MAX_NOT_USED = 20;

function notUsedLine(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_NOT_USED ? ` and ${names.length - MAX_NOT_USED} more` : '';
  return `\n# Not used, since no field is called so: ${names.slice(0, MAX_NOT_USED).map(oneLine).join(', ')}${more}.\n`;
}

/** Writes the doubt of a field above it. */
function addDoubts(map: YAMLMap, fields: readonly DraftField[]): void {
  for (const [index, pair] of (map.items as Pair<Scalar<string>, unknown>[]).entries()) {
    const { doubt, score } = fields[index] as DraftField;
    if (doubt !== undefined) pair.key.commentBefore = ` ${Math.round(score * 100)} %: ${doubt}.`;
    putOnOneLine(pair.value, WIDTH - String(pair.key.value).length - 8);
  }
}

/** Writes a collection on one line if it fits, else its members each in this way. */
function putOnOneLine(node: unknown, width: number): void {
  if (!isNode(node) || !(isMap(node) || isSeq(node))) return;
  if (JSON.stringify(node.toJSON()).length < 0.85 * width) {
    node.flow = true;
    return;
  }
  for (const item of node.items as (Pair<Scalar<string>, unknown> | unknown)[])
    if (isMap(node)) {
      const { key, value } = item as Pair<Scalar<string>, unknown>;
      putOnOneLine(value, width - String(key.value).length - 4);
    } else putOnOneLine(item, width - 2);
}

function leftOutLine({ column, field, why, sample, risk }: LeftOut): string {
  const meant = field === undefined ? '' : ` (${field}?)`;
  const cell = sample === '' ? '' : `, such as ${shown(sample)}`;
  const harm = risk === undefined ? '' : `; ${risk}`;
  return `# - ${oneLine(column)}${meant}: ${oneLine(why)}${cell}${harm}\n`;
}

function shown(sample: string): string {
  const text = oneLine(sample);
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}

/** Text of a file in a comment: without line ends, which would end the comment, and of a readable length. */
function oneLine(text: string): string {
  return cutText(text.replaceAll(/[\s\u0085\u2028\u2029]+/g, ' ').trim(), MAX_COMMENT_LENGTH);
}

const MAX_COMMENT_LENGTH = 500;
