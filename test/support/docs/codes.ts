import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FINDING_CODES } from '../../../src/model/index.ts';
import { CODES } from '../../../src/store/response/rules.ts';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Folders whose codes reach a report, a warning or the end of a command. */
const FOLDERS = [
  'read',
  'group',
  'map',
  'validate',
  'suspect',
  'plan',
  'send',
  'ledger',
  'postgres',
  'images',
  'pipeline',
];

/** Places in the code that give a code to an issue, an outcome or a warning. */
const USES: readonly RegExp[] = [
  /\bcode: '([a-z-]+)'/g,
  /\bcode: key === '' \? '([a-z-]+)' : '([a-z-]+)'/g,
  /\baddIssue\((?:scope, name, )?\s*'([a-z-]+)'/g,
  /\bscope,\s+name,\s+'([a-z-]+)'/g,
  /\bskippedOutcome\(\s*'[a-z-]+',\s*'([a-z-]+)'/g,
  /\bcode === '' \? '([a-z-]+)' : code/g,
  /\.reason : '([a-z-]+)'/g,
];

/** Every code that a user can see: of a record, a file, a cell, a run or a refused command. */
export function usedCodes(): ReadonlySet<string> {
  const text = FOLDERS.flatMap((folder) => sources(folder)).map((source) => source.text);
  const found = USES.flatMap((use) => [...text.join('\n').matchAll(use)].flatMap(([, ...codes]) => codes));
  return new Set([
    ...found,
    ...wordsOf('StopReason', 'errors.ts'),
    ...wordsOf('ConfigReason', 'errors.ts'),
    ...wordsOf('SuspectCode', 'row/suspicion.ts'),
    ...Object.values(CODES),
    ...FINDING_CODES,
  ]);
}

/** The words of a union type of the model. */
function wordsOf(type: string, file: string): string[] {
  const text = readFileSync(join(src, 'model', file), 'utf8');
  const [, union = ''] = new RegExp(`type ${type} =([^;]+);`).exec(text) ?? [];
  const words = [...union.matchAll(/'([a-z-]+)'/g)].map(([, word = '']) => word);
  if (words.length === 0) throw new Error(`src/model/${file} has no union type ${type}`);
  return words;
}

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The source files of a folder of src/, or of all but the sandbox. */
export function sources(folder = ''): SourceFile[] {
  return readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/'))
    .map((file) => ({ file, text: readFileSync(join(src, folder, file), 'utf8') }));
}

/** Matches text that a literal of the code can become: its fixed parts in order, with anything between. */
export interface MessagePattern {
  readonly pattern: RegExp;
  /** Number of its fixed characters. */
  readonly fixed: number;
  /** Its text, with `…` for what is filled in. */
  readonly text: string;
}

/** The string and template literals of a source text; those that are joined by + are one. */
export function messagePatterns(source: string): MessagePattern[] {
  return literals(source).map(patternOf);
}

function patternOf(parts: readonly string[]): MessagePattern {
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { pattern: new RegExp(escaped.join('.*?')), fixed: parts.join('').length, text: parts.join('…') };
}

/** The fixed parts of each literal: one of a string, more of a template. Those inside a template are at the end. */
function literals(source: string): string[][] {
  const found: string[][] = [];
  const inside: string[] = [];
  let end = -1;
  for (let at = 0; at < source.length; at++) {
    if (/^\/\/ |^\/\*/.test(source.slice(at, at + 3))) {
      const close = source[at + 1] === '/' ? '\n' : '*/';
      const next = source.indexOf(close, at + 2);
      at = next < 0 ? source.length : next;
    } else if (/^[\s([{!.]['`]/.test(source.slice(at - 1, at + 1))) {
      const literal = readLiteral(source, at);
      if (literal === undefined) continue;
      const isJoined = end >= 0 && /^\s*\+\s*$/.test(source.slice(end, at));
      const [first = '', ...others] = literal.parts;
      const before = isJoined ? found.pop() : undefined;
      found.push(before ? [...before.slice(0, -1), before.at(-1) + first, ...others] : literal.parts);
      inside.push(...literal.inside);
      end = literal.end;
      at = end - 1;
    }
  }
  return [...found, ...inside.flatMap(literals)];
}

/**
 * Reads the literal that begins at `at`. `inside`: the expressions of a template. Returns undefined if it has no end,
 * as a quote in a regular expression.
 */
function readLiteral(source: string, at: number) {
  const quote = source[at];
  const parts = [''];
  const inside: string[] = [];
  let end = at + 1;
  const add = (text = '') => parts.push(parts.pop() + text);
  while (source[end] !== quote) {
    if (end >= source.length || (quote === "'" && source[end] === '\n')) return undefined;
    if (source[end] === '\\') {
      add(source[end + 1]);
      end += 2;
    } else if (quote === '`' && source.startsWith('${', end)) {
      const begin = end + 2;
      let depth = 1;
      for (end = begin; depth > 0 && end < source.length; end++)
        depth += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
      inside.push(source.slice(begin, end - 1));
      parts.push('');
    } else {
      add(source[end]);
      end++;
    }
  }
  return { parts, inside, end: end + 1 };
}
