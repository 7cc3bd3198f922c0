import { losesDigits, ownValue } from '../../model/index.ts';
import type { AstNode } from './expression-names.ts';

/**
 * Limits of one evaluation. They are counts, not times, so that a record has the same result on every machine. Together
 * they allow at most about a second.
 */
export const LIMITS = {
  steps: 50_000,
  depth: 100,
  items: 10_000,
  letters: 1_000_000,
  /** Estimated size of all lists and texts that are created, including those that are dropped again. */
  bytes: 32_000_000,
};

/** Weight of one value with all values in it. A value that occurs twice counts twice, as it would in text. */
const MOST_IN_VALUE = 40_000_000;
/** Weight of a value that becomes text. A heavier one has too many letters: a number gives at least two (comma). */
const MOST_IN_TEXT = 8 * LIMITS.letters;
/** Sum of the weights of all step results. Each result may be compared, sorted or written as text. */
const MOST_IN_HAND = 2_000_000_000;
const MOST_MATCHES = 500_000;
/** Comparisons of `$distinct`, which compares every pair of items. */
const MOST_COMPARED = 400_000_000;

const SLOT_BYTES = 8;
const OBJECT_BYTES = 16;
const LETTER_BYTES = 4;

/** A function of the language, as the library represents it. */
export interface Native {
  readonly _jsonata_function: true;
  readonly implementation: (...args: never[]) => unknown;
  readonly signature?: unknown;
  /** Number of arguments that another function passes to it. Default: the number that `implementation` names. */
  readonly arity?: number;
}

export interface Budget {
  /** Begins a new evaluation of these values. They must not change later: each is weighed once, and was not created. */
  begin(given: readonly unknown[]): void;
  /** Called before each step. This and all methods below throw `over` if a limit is exceeded. */
  enter(): void;
  /** Called after each step. */
  leave(node: AstNode, result: unknown): void;
  /** Called with the result of the evaluation, which becomes JSON. */
  finish(result: unknown): void;
  /** Called for each match of a regular expression. */
  match(): void;
  /** Wraps the function with checks of its arguments and of its result. */
  guarded(name: string, native: Native): Native;
}

/** `over` is the object to throw if a limit is exceeded; `nodes` are all nodes of the syntax tree. */
export function createBudget(over: object, nodes: readonly AstNode[]): Budget {
  const texts = new Set(nodes.flatMap((node) => (isConcatenation(node) ? [node.lhs, node.rhs] : [])));
  let steps = 0;
  let depth = 0;
  let bytes = 0;
  let inHand = 0;
  let matches = 0;
  /** Weights of lists and objects already weighed, so that each is counted once. */
  let known = new Map<object, number>();
  /** Weights of given values, undefined until needed. They are kept: all rows of a record are given for each of its rows. */
  const given = new WeakMap<object, number | undefined>();

  function pay(made: number): void {
    bytes += made;
    if (bytes > LIMITS.bytes) throw over;
  }

  function weigh(value: unknown, within?: 'given'): number {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return SLOT_BYTES;
    // A function refers to the syntax tree and its scope, which are not data.
    if (isFunction(value)) return SLOT_BYTES;
    const before = known.get(value) ?? given.get(value);
    if (before !== undefined) return before;
    const origin = given.has(value) ? 'given' : within;
    const own = OBJECT_BYTES + SLOT_BYTES * (Array.isArray(value) ? value.length : Object.keys(value).length);
    if (!origin) pay(own);
    let weight = own;
    if (Array.isArray(value)) for (const item of value) weight += weigh(item, origin);
    else for (const [name, inner] of Object.entries(value)) weight += name.length + weigh(inner, origin);
    if (weight > MOST_IN_VALUE) throw over;
    (origin ? given : known).set(value, weight);
    return weight;
  }

  function checkText(value: unknown): void {
    if (typeof value === 'object' && weigh(value) > MOST_IN_TEXT) throw over;
  }

  function checkSize(value: unknown): void {
    if (lengthOf(value) > (typeof value === 'string' ? LIMITS.letters : LIMITS.items)) throw over;
  }

  /** Argument checks for functions that make large results from small arguments: a check afterwards is too late. */
  const argumentChecks: Readonly<Record<string, (args: unknown[]) => unknown[]>> = {
    length: asLetters,
    substring: asLetters,
    pad(args) {
      const [text, width, char] = args;
      const times = typeof char === 'string' ? Math.max(1, char.length) : 1;
      if (Math.abs(Number(width)) * times > LIMITS.letters + String(text).length) throw over;
      pay(LETTER_BYTES * (Math.abs(Number(width)) || 0));
      return asLetters(args);
    },
    join(args) {
      const [list, separator = ''] = args;
      if (lengthOf(list) * String(separator).length + weigh(list) > MOST_IN_TEXT) throw over;
      return args;
    },
    distinct(args) {
      if ((lengthOf(args[0]) * weigh(args[0])) / SLOT_BYTES > MOST_COMPARED) throw over;
      return args;
    },
    number(args) {
      const [text] = args;
      if (typeof text === 'string' && /^-?\d{16,}(\.\d+)?$/.test(text) && losesDigits(text))
        throw { message: `"${text.slice(0, 100)}" has more digits than a number can hold` };
      return args;
    },
    string(args) {
      checkText(args[0]);
      return args;
    },
    match: atMostItems,
    split: atMostItems,
  };

  /** Counts the list of letters that the library makes of a text. */
  function asLetters(args: unknown[]): unknown[] {
    pay(LETTER_BYTES * lengthOf(args[0]));
    return args;
  }

  return {
    begin(values) {
      steps = 0;
      depth = 0;
      bytes = 0;
      inHand = 0;
      matches = 0;
      if (known.size > 0) known = new Map();
      for (const value of values)
        if (typeof value === 'object' && value !== null && !given.has(value)) given.set(value, undefined);
    },
    enter() {
      if (++steps > LIMITS.steps || ++depth > LIMITS.depth) throw over;
    },
    leave(node, result) {
      depth--;
      checkSize(result);
      inHand += weigh(result);
      if (inHand > MOST_IN_HAND) throw over;
      if (texts.has(node)) checkText(result);
      if (isConcatenation(node)) pay(lengthOf(result));
    },
    finish(result) {
      checkText(result);
      if (known.size > 0) known = new Map();
    },
    match() {
      if (++matches > MOST_MATCHES) throw over;
    },
    guarded(name, native) {
      const { implementation } = native;
      const check = ownValue(argumentChecks, name);
      return {
        ...native,
        arity: implementation.length,
        implementation(this: unknown, ...args: unknown[]) {
          const result = implementation.apply(this, (check ? check(args) : args) as never[]);
          if (typeof result === 'string') {
            pay(result.length);
            checkSize(result);
          } else if (Array.isArray(result)) {
            checkSize(result);
            weigh(result);
          }
          return result;
        },
      };
    },
  };
}

/** Cuts the result one item beyond the limit, so that a longer list exceeds it and does not look complete. */
function atMostItems([text, pattern, limit]: unknown[]): unknown[] {
  const most = LIMITS.items + 1;
  return [text, pattern, typeof limit === 'number' ? Math.min(limit, most) : most];
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) || typeof value === 'string' ? value.length : 0;
}

function isConcatenation({ type, value }: AstNode): boolean {
  return type === 'binary' && value === '&';
}

function isFunction(value: object): boolean {
  const { _jsonata_lambda, _jsonata_function } = value as Record<string, unknown>;
  return _jsonata_lambda === true || _jsonata_function === true;
}
