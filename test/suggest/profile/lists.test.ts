import { expect, test } from 'vitest';
import { listOfWords } from '../../../src/suggest/profile/lists.ts';

test.each([
  [49, '|'],
  [50, undefined],
])('a column with one list beside %i other cells is split at %j', (others, by) => {
  expect(listOfWords([...Array<string>(others).fill('red'), 'red|blue'])).toEqual(
    by === undefined ? undefined : expect.objectContaining({ by }),
  );
});
