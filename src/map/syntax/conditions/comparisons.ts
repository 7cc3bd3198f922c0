/** A spelling of a comparison, with its form in the mapping language. */
interface Spelling {
  readonly looks: RegExp;
  readonly means: (operand: string, last: string) => string;
}

/** Spellings from spreadsheets, databases and programs. `is` compares them as plain text: `{ is: "> 5" }`. */
const SPELLINGS: readonly Spelling[] = [
  { looks: /^(?:>=|=>|≥)\s*\p{Sc}?(\S+?)\p{Sc}?$/u, means: (operand) => `{ at-least: ${operand} }` },
  { looks: /^(?:<=|=<|≤)\s*\p{Sc}?(\S+?)\p{Sc}?$/u, means: (operand) => `{ at-most: ${operand} }` },
  { looks: /^(?:!=+|<>|≠)\s*(.+)$/, means: (operand) => `{ is-not: ${operand} }` },
  { looks: /^>\s*\p{Sc}?([^\s<>]+?)\p{Sc}?$/u, means: (operand) => `{ above: ${operand} }` },
  { looks: /^<\s*\p{Sc}?([^\s<>]+?)\p{Sc}?$/u, means: (operand) => `{ below: ${operand} }` },
  { looks: /^==?\s*([^\s=].*)$/, means: (operand) => `{ is: ${operand} }` },
  {
    looks: /^(-?\d[\d.,]*?)\s*(?:\.{2,3}|…)\s*(-?\d[\d.,]*)$/,
    means: (first, last) => `{ at-least: ${first}, at-most: ${last} }`,
  },
  { looks: /^\*([^*]+)\*$/, means: (part) => `{ matches: ${part} }` },
  { looks: /^([^*]+)\*$/, means: (part) => `{ matches: "^${unquoted(part)}" }` },
  { looks: /^\*([^*]+)$/, means: (part) => `{ matches: "${unquoted(part)}$" }` },
  { looks: /^(?:not|!)\s*(?:empty|blank|null)$/i, means: () => '{ empty: false }' },
];

function unquoted(written: string): string {
  return written.replace(/^"(.*)"$/, '$1');
}

/** `> 5` → `{ above: 5 }`, `> 5 and < 9` → `{ above: 5, below: 9 }`; undefined for an ordinary word. */
export function comparisonIn(word: string): string | undefined {
  const whole = oneIn(word);
  if (whole !== undefined) return whole;
  const parts = word.split(/\s+and\s+|\s*&&\s*/i);
  const meant = parts.length > 1 ? parts.flatMap((part) => oneIn(part) ?? []) : [];
  return meant.length > 0 && meant.length === parts.length
    ? `{ ${meant.map((each) => each.slice(2, -2)).join(', ')} }`
    : undefined;
}

function oneIn(word: string): string | undefined {
  for (const { looks, means } of SPELLINGS) {
    const found = looks.exec(word.trim());
    if (found) return means(written(found[1]), written(found[2]));
  }
  return undefined;
}

/** Writes an operand as YAML. */
function written(operand = ''): string {
  if (/^-?\d+,\d{1,2}$/.test(operand)) return operand.replace(',', '.');
  return /^(?:[\p{L}\p{N}._ -]+|"[^"]*"|'[^']*')$/u.test(operand) ? operand : JSON.stringify(operand);
}

/** Requires a number or a quoted text after the operator, since the name of a column hardly ends like that. */
const INSIDE = /^([^\s<>=!].*?)\s*(>=|<=|!==?|===?|<>|≥|≤|≠|[<>=])\s*(-?\d[\d.,]*|"[^"]*"|'[^']*')$/;

/** `Price > 5` → `{ Price: { above: 5 } }`; undefined for the name of a column. */
export function comparisonOf(column: string): string | undefined {
  const [, name, operator, operand] = INSIDE.exec(column.trim()) ?? [];
  const meant = name === undefined ? undefined : comparisonIn(`${operator} ${operand}`);
  return meant === undefined ? undefined : `{ ${name}: ${meant} }`;
}
