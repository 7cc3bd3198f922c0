import type { KnownWords } from '../mapping.ts';
import { parseCondition } from './conditions/conditions.ts';
import { asObject, below, type DocumentPlace } from './document.ts';

const EXPECTED = 'words takes column: [words that are known], or column: { is or matches: …, across: lead }.';

/** Parses the words that columns may have. */
export function parseWords(place: DocumentPlace, value: unknown): KnownWords[] {
  if (value === undefined) return [];
  const given = asObject(place, value, EXPECTED);
  return Object.entries(given).map(([column, words]) => {
    const { document, path } = below(place, column);
    const { across = undefined, ...tests } = isTests(words) ? words : { is: words };
    if (across !== undefined && across !== 'lead')
      document.addError(
        [...path, 'across'],
        'across takes lead here: only the first row of a record counts.',
      );
    const condition = parseCondition(
      { document, path: place.path, noun: 'column' },
      { [column]: tests },
      'own',
    );
    return {
      column,
      ofLead: across === 'lead',
      isKnown: (text) => condition.tests.every(({ holds }) => holds(text)),
    };
  });
}

function isTests(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
