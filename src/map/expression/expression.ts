import type { Json, JsonObject } from '../../model/index.ts';
import { withoutNoise } from './decimals.ts';
import { type Budget, createBudget, LIMITS, type Native } from './expression-budget.ts';
import { type AstNode, namesIn } from './expression-names.ts';
import { libraries } from './libraries.ts';
import { patternProblem } from './patterns.ts';

/** An expression of a mapping (JSONata), over the cells of a row and what else is known of the record. */
export interface Expression {
  /** Names in it: those that are columns of a file are read there. */
  readonly names: readonly string[];
  /** Those of them that it surely looks for in a row, and not in what a row holds. */
  readonly columns: readonly string[];
  /** Variables that somebody else has to know: neither it nor the language does. */
  readonly variables: readonly string[];
  /** Whether it looks at all rows of the record. */
  readonly usesRows: boolean;
  evaluate(cells: JsonObject, variables: JsonObject): Evaluated;
}

export type Evaluated =
  | { readonly value: Json | undefined }
  | { readonly code: 'expression-failed' | 'expression-limit'; readonly message: string };

/** After so many evaluations that met a limit, no more are begun. */
const PATIENCE = 3;

/** What would make something else of the same file the next time, or a program of a cell. */
const REFUSED: ReadonlySet<string> = new Set(['eval', 'now', 'millis', 'random', 'shuffle']);

/**
 * Throws an ordinary Error that says what is wrong with it. JSONata 1.8 and not 2: that line still gets its fixes, and
 * answers at once, where 2 is asynchronous and a promise a cell would cost more than the mapping.
 */
export function compileExpression(source: string): Expression {
  const library = libraries.jsonata() as unknown as Jsonata;
  // An object, since the library adds a position to what is thrown, and only an object is still the same then.
  const over = { message: 'a limit was met' };
  const jsonata = (text: string) => library(text, { RegexEngine: regexEngine(() => budget.match()) });
  const expression = jsonata(source);
  const tree = expression.ast();
  const nodes = nodesIn(tree);
  for (const { type, value } of nodes) {
    const problem = type === 'regex' ? patternProblem((value as RegExp).source) : undefined;
    if (problem !== undefined) throw new Error(problem);
    if (type === 'variable' && REFUSED.has(value as string))
      throw new Error(`$${value} is not there in mappings: the same file must always make the same records.`);
  }
  const { names, columns, free } = namesIn(nodes, tree);
  const budget: Budget = createBudget(over, nodes);
  const own = new Map(free.map((name) => [name, ownFunction(jsonata, name)]));
  for (const [name, value] of own) if (isNative(value)) expression.assign(name, budget.guarded(name, value));

  let patience = PATIENCE;
  expression.assign('__evaluate_entry', budget.enter);
  expression.assign('__evaluate_exit', (node: AstNode, _input: unknown, _frame: unknown, result: unknown) =>
    budget.leave(node, result),
  );

  return {
    ...{ names, columns },
    variables: free.filter((name) => own.get(name) === undefined),
    usesRows: free.includes('rows'),
    evaluate(cells, variables) {
      if (patience === 0) return overLimit(' It met them in other records too, and is not tried again');
      budget.begin();
      try {
        const result = expression.evaluate(cells, variables);
        budget.finish(result);
        return { value: plain(result) };
      } catch (error) {
        if (error === over || error instanceof RangeError) {
          patience--;
          return overLimit('');
        }
        const said = (error as { message?: string }).message ?? String(error);
        return { code: 'expression-failed', message: `the expression fails: ${said}` };
      }
    },
  };
}

function overLimit(more: string): Evaluated {
  const { steps, depth, items, letters, bytes } = LIMITS;
  return {
    code: 'expression-limit',
    message: `the expression takes more than it may (${steps} steps, ${depth} deep, lists of ${items}, texts of ${letters} letters, ${bytes / 1_000_000} MB in all): make it simpler.${more}`,
  };
}

/**
 * Results are JSON, however the library marks its lists. `__proto__` as a key is never shop data, and what numbers have
 * beyond 15 digits is noise of sums: 1.1 + 2.2 is 3.3.
 */
function plain(result: unknown): Json | undefined {
  const text = JSON.stringify(result);
  if (text === undefined || text === 'null' || text === '""') return undefined;
  return JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw new Error('the name __proto__ is not allowed');
    return typeof value === 'number' ? withoutNoise(value) : value;
  });
}

function nodesIn(root: unknown): AstNode[] {
  const seen = new Set<unknown>();
  const found: AstNode[] = [];
  const open = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || node instanceof RegExp || seen.has(node)) continue;
    seen.add(node);
    if (typeof (node as AstNode).type === 'string') found.push(node as AstNode);
    open.push(...Object.values(node));
  }
  return found;
}

/** What the language itself has under a name; undefined for nothing. */
function ownFunction(jsonata: (text: string) => ReturnType<Jsonata>, name: string): unknown {
  return name === '' || name === '$' ? true : jsonata(`$${name}`).evaluate({}, {});
}

function isNative(value: unknown): value is Native {
  return typeof value === 'object' && value !== null && '_jsonata_function' in value;
}

/** What the library takes for `RegExp`: matching takes time in proportion to the text. */
function regexEngine(onMatch: () => void) {
  return function RegexEngine(given: RegExp) {
    const { RE2JS } = libraries.re2js();
    const pattern = RE2JS.compile(RE2JS.translateRegExp(given));
    return {
      lastIndex: 0,
      exec(text: string) {
        onMatch();
        const matcher = pattern.matcher(text);
        if (!matcher.find(this.lastIndex)) return null;
        this.lastIndex = matcher.end();
        const groups = Array.from({ length: pattern.groupCount() + 1 }, (_, index) => matcher.group(index));
        return Object.assign(groups, { index: matcher.start() });
      },
    };
  };
}

/** The part of the library that is used here; its own types know nothing of the options. */
type Jsonata = (
  source: string,
  options: { readonly RegexEngine: unknown },
) => {
  ast(): unknown;
  assign(name: string, value: unknown): void;
  evaluate(input: unknown, bindings: object): unknown;
};
