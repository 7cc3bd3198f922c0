import { Document, isMap, isSeq, type Pair, type YAMLMap } from 'yaml';

const WIDTH = 110;

/** A rule as YAML of its own. */
export function ruleText(rule: unknown): string {
  const document = new Document({ rule }, { aliasDuplicateObjects: false });
  const [pair] = (document.contents as YAMLMap).items as Pair[];
  putOnOneLine(pair?.value);
  const text = document.toString({ lineWidth: WIDTH, flowCollectionPadding: true }).replace(/^rule:\s?/, '');
  return text.replaceAll(/^ {2}/gm, '').trim();
}

/** An entry as lines without an indent. */
export function entryText(key: string, rule: unknown): string {
  const document = new Document({ [key]: rule }, { aliasDuplicateObjects: false });
  const [pair] = (document.contents as YAMLMap).items as Pair[];
  putOnOneLine(pair?.value);
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true }).trimEnd();
}

/** An entry whose rule a person wrote. */
export function yamlEntryText(key: string, yaml: string): string {
  const name = new Document(key).toString().trim();
  const lines = yaml.trim();
  const isShort = !lines.includes('\n') && !/^[-?] /.test(lines) && !/^[^{["'&*!|>]*: /.test(lines);
  return isShort ? `${name}: ${lines}` : `${name}:\n${indented(lines, '  ')}`;
}

export function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

function putOnOneLine(node: unknown): void {
  if ((isMap(node) || isSeq(node)) && JSON.stringify(node.toJSON()).length < 0.8 * WIDTH) node.flow = true;
}
