import type { RE2JS } from 're2js';
import type { Json, JsonObject } from '../../model/index.ts';
import { withoutNoise } from './decimals.ts';
import { type Budget, createBudget, LIMITS, type Native } from './expression-budget.ts';
import { type AstNode, namesIn } from './expression-names.ts';
import { type FieldRead, pathsIn } from './expression-paths.ts';
import { libraries } from './libraries.ts';
import { patternProblem } from './patterns.ts';

/** An expression of a mapping (JSONata) over the cells of a row, or over a payload, and variables of the record. */
export interface Expression {
  /** Names in it. Those that are columns of a file are read from there. */
  readonly names: readonly string[];
  /** Names that it certainly looks up in a row, not in a value inside the row. */
  readonly columns: readonly string[];
  /** Variables that the caller must provide: neither the expression nor the language defines them. */
  readonly variables: readonly string[];
  /** Paths that it certainly reads from its input or from `given` variables; empty if none were given. */
  readonly reads: readonly FieldRead[];
  /** True if it reads all rows of the record. */
  readonly usesRows: boolean;
  /** Begins the evaluation for the records of one input. What it met is forgotten at the next input. */
  begin(): Evaluate;
}

/** `input`: the cells of a row, or another value to read. */
export type Evaluate = (input: Json, variables: JsonObject) => Evaluated;

export type Evaluated =
  | { readonly value: Json | undefined }
  | { readonly code: 'expression-failed' | 'expression-limit'; readonly message: string };

/** Number of evaluations over a limit after which the expression is no longer tried with an input. */
const PATIENCE = 3;

/** Functions that are not deterministic, or that would execute a cell as a program. */
const REFUSED: ReadonlySet<string> = new Set(['eval', 'now', 'millis', 'random', 'shuffle']);

/** The budget of the expression that is evaluated. The library has one engine for all expressions: the last one that it was given. */
let evaluated: Budget | undefined;
const ENGINE = regexEngine(() => evaluated?.match());

/**
 * Compiles an expression. `given`: variables whose paths are to be found. Throws a plain Error that says what is wrong. Uses JSONata
 * 1.8, which is synchronous and still maintained. JSONata 2 is asynchronous, and a promise for each cell would cost more than the mapping.
 */
export function compileExpression(source: string, given?: readonly string[]): Expression {
  const library = libraries.jsonata() as unknown as Jsonata;
  // An object, since the library adds a position to what is thrown, and only objects keep their identity then.
  const over = { message: 'a limit was met' };
  const jsonata = (text: string) => library(text, { RegexEngine: ENGINE });
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
  const reads = given ? pathsIn(tree, given) : [];
  const budget: Budget = createBudget(over, nodes);
  const own = new Map(free.map((name) => [name, ownFunction(jsonata, name)]));
  for (const [name, value] of own) if (isNative(value)) expression.assign(name, budget.guarded(name, value));

  expression.assign('__evaluate_entry', budget.enter);
  expression.assign('__evaluate_exit', (node: AstNode, _input: unknown, _frame: unknown, result: unknown) =>
    budget.leave(node, result),
  );

  function begin(): Evaluate {
    let patience = PATIENCE;
    return (input, variables) => {
      if (patience === 0) return overLimit(' It met them in other records too, and is not tried again');
      budget.begin([input, ...Object.values(variables)]);
      evaluated = budget;
      try {
        const result = expression.evaluate(input, variables);
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
    };
  }

  return {
    ...{ names, columns, reads },
    variables: free.filter((name) => own.get(name) === undefined),
    usesRows: free.includes('rows'),
    begin,
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
 * Converts a result to plain JSON, without the library's marks on lists. `__proto__` as a key is never shop data.
 * Digits beyond the 15th are floating-point noise: 1.1 + 2.2 is 3.3.
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

/** The language's own function or variable of this name; undefined if there is none. */
function ownFunction(jsonata: (text: string) => ReturnType<Jsonata>, name: string): unknown {
  return name === '' || name === '$' ? true : jsonata(`$${name}`).evaluate({}, {});
}

function isNative(value: unknown): value is Native {
  return typeof value === 'object' && value !== null && '_jsonata_function' in value;
}

/**
 * Replaces `RegExp` in the library: matching takes time linear in the text. The library asks for an engine at each
 * evaluation of a pattern, and compiling takes longer than matching, so compiled patterns are kept.
 */
function regexEngine(onMatch: () => void) {
  const compiled = new WeakMap<RegExp, RE2JS>();
  function patternOf(given: RegExp): RE2JS {
    const known = compiled.get(given);
    if (known) return known;
    const { RE2JS } = libraries.re2js();
    const pattern = RE2JS.compile(RE2JS.translateRegExp(given));
    compiled.set(given, pattern);
    return pattern;
  }
  return function RegexEngine(given: RegExp) {
    const pattern = patternOf(given);
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

/** The part of the library that is used here; its own types lack the options. */
type Jsonata = (
  source: string,
  options: { readonly RegexEngine: unknown },
) => {
  ast(): unknown;
  assign(name: string, value: unknown): void;
  evaluate(input: unknown, bindings: object): unknown;
};
