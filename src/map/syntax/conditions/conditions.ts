import * as z from 'zod';
import { didYouMean } from '../../did-you-mean.ts';
import { compilePattern, patternProblem } from '../../expression/patterns.ts';
import type { MappingCondition } from '../../mapping.ts';
import { below, type DocumentPlace } from '../document.ts';
import { type ConditionPlace, refuseUnknownReference, watch } from '../places.ts';
import { comparisonIn, comparisonOf } from './comparisons.ts';
import { createFutureTest } from './future.ts';

/** `text` is undefined if the file lacks the column. */
type Test = (text: string | undefined, other?: string) => boolean;

const oneOrMore = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))])
  .transform((value) => [value].flat().map((word) => String(word).toLowerCase()));

/** Tests that a condition can apply to a cell. Words are compared case-insensitively. */
export const TESTS: ReadonlyMap<string, { expects: string; read: (args: unknown) => Test | undefined }> =
  new Map(
    Object.entries({
      is: {
        expects: 'a word or a list of words',
        read: (args) => words(args, (known, text) => known.has(text)),
      },
      'is-not': {
        expects: 'a word or a list of words',
        read: (args) => words(args, (known, text) => !known.has(text)),
      },
      empty: {
        expects: 'true or false',
        // A missing column is neither empty nor filled, since its cells are unknown.
        read: (args) =>
          typeof args === 'boolean' ? (text) => text !== undefined && (text === '') === args : undefined,
      },
      matches: { expects: 'a regular expression', read: pattern },
      below: { expects: 'a number, or the name of another column', read: compared((a, b) => a < b) },
      above: { expects: 'a number, or the name of another column', read: compared((a, b) => a > b) },
      'at-least': { expects: 'a number, or the name of another column', read: compared((a, b) => a >= b) },
      'at-most': { expects: 'a number, or the name of another column', read: compared((a, b) => a <= b) },
      future: { expects: 'true or false', read: ahead },
    }),
  );

/**
 * Parses a condition, such as the value of `when`: a column (holds if it is not empty), `{ Column: word }`, or
 * `{ Column: { is | is-not | matches | empty | below | above | at-least | at-most | future: … } }`. If there are several columns
 * or tests, all must hold.
 *
 * `across`: rows that the condition tests, see `MappingCondition`.
 */
export function parseCondition(
  place: ConditionPlace,
  value: unknown,
  across: MappingCondition['across'],
): MappingCondition {
  const { document, path, noun } = place;
  if (typeof value === 'string') {
    refuseUnknownReference(place, value);
    const meant = comparisonOf(value);
    if (meant !== undefined)
      document.addError(
        path,
        `"${value}" is a comparison, and a condition takes it as the name of a ${noun}. Write ${meant} instead. For a ${noun} of that name, write { "${value}": { empty: false } }.`,
      );
    return { across, tests: [{ column: value, holds: (text) => text !== undefined && text !== '' }] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    document.addError(path, `a condition takes a ${noun}, or ${noun}s with what they must be.`);
    return { across, tests: [] };
  }
  const tests: { column: string; other?: string; holds: Test }[] = [];
  // A test for empty cells is not watched: no data is lost if it never holds.
  let isWatched = false;
  for (const [column, wanted] of Object.entries(value)) {
    const columnPlace = below(place, column);
    refuseUnknownReference(columnPlace, column);
    const isTests = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
    if (!isTests) refuseComparisons(columnPlace, [wanted].flat());
    const given = isTests ? wanted : { is: wanted };
    for (const [name, args] of Object.entries(given)) {
      const test = TESTS.get(name);
      isWatched ||= name !== 'empty';
      const holds = test?.read(args);
      const problem =
        !holds && name === 'matches' && typeof args === 'string' ? patternProblem(args) : undefined;
      if (problem !== undefined) document.addError([...path, column, name], problem);
      else if (holds && COMPARING.has(name) && typeof args === 'string' && numberIn(args) === undefined) {
        refuseUnknownReference(below(columnPlace, name), args);
        tests.push({ column, other: args, holds });
      } else if (holds) tests.push({ column, holds });
      else if (test) document.addError([...path, column, name], `${name} takes ${test.expects}.`);
      else
        document.addError(
          [...path, column, name],
          `"${name}" is not a test; there are ${[...TESTS.keys()].join(', ')}.${nearestTest(name, args)}`,
        );
    }
  }
  const number = isWatched ? watch(place, 'condition') : undefined;
  return { across, tests, ...(number === undefined ? {} : { watch: number }) };
}

/** Suggests what an unknown test means: an operator, or a test with a similar name. */
function nearestTest(name: string, args: unknown): string {
  const meant = comparisonIn(`${name} ${args}`);
  return meant === undefined ? didYouMean(name, TESTS.keys()) : ` Write ${meant}.`;
}

/** Tests that may name another column. */
const COMPARING: ReadonlySet<string> = new Set(['below', 'above', 'at-least', 'at-most']);

/** Refuses words such as `> 5`, which would be compared as text and never hold. `is` takes them as literal text. */
function refuseComparisons({ document, path }: DocumentPlace, words: readonly unknown[]): void {
  for (const word of words) {
    const meant = typeof word === 'string' ? comparisonIn(word) : undefined;
    if (meant === undefined) continue;
    const shown = JSON.stringify(word);
    document.addError(
      path,
      `${shown} is a comparison, and a word here is compared letter by letter. Write ${meant}. If the cell holds this very text, write { is: ${shown} }.`,
    );
  }
}

/** A comparison holds for text that is not a number: the step that reads it then reports the problem. */
function compared(isSo: (a: number, b: number) => boolean): (args: unknown) => Test | undefined {
  return (args) => {
    if (typeof args !== 'string' && typeof args !== 'number') return undefined;
    const fixed = numberIn(String(args));
    return (text, other) => {
      if (text === undefined) return false;
      const [a, b] = [numberIn(text), fixed ?? numberIn(other)];
      return a === undefined || b === undefined || isSo(a, b);
    };
  };
}

/** Reads `1299.5` and `19,90`; `1,299` is ambiguous and undefined. */
function numberIn(text: string | undefined = ''): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+|\d+,\d{1,2})$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

function words(args: unknown, holds: (known: Set<string>, text: string) => boolean): Test | undefined {
  const parsed = oneOrMore.safeParse(args);
  if (!parsed.success) return undefined;
  const known = new Set(parsed.data);
  return (text) => holds(known, (text ?? '').toLowerCase());
}

/** Compares all records of a run with one moment: the time when its mapping was parsed. */
function ahead(args: unknown): Test | undefined {
  if (typeof args !== 'boolean') return undefined;
  const liesAhead = createFutureTest(Date.now());
  return (text = '') => liesAhead(text) === args;
}

function pattern(args: unknown): Test | undefined {
  if (typeof args !== 'string') return undefined;
  try {
    const expression = compilePattern(args, { ignoreCase: true });
    return (text) => text !== undefined && expression.test(text);
  } catch {
    return undefined;
  }
}
