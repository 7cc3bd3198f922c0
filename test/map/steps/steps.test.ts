import { describe, expect, test } from 'vitest';
import { STEPS } from '../../../src/map/index.ts';
import { apply } from './apply.ts';

describe.each(STEPS.map((step) => [step.name, step] as const))('the step %s', (name, step) => {
  test('has documentation and examples, with an issue if one is possible', () => {
    expect(step.doc).toMatch(/\.$/);
    expect(step.examples.length).toBeGreaterThan(1);
  });

  test.each(step.examples.map((example) => [JSON.stringify(example), example] as const))(
    'gives the result of its example: %s',
    (_text, example) => {
      const { value, codes } = apply(name, example.args, example.in);
      expect(value).toEqual(example.out);
      expect(codes).toEqual(example.issue === undefined ? [] : [example.issue]);
    },
  );
});

test('steps run in the documented order, and their names are unique', () => {
  expect(STEPS.map(({ name }) => name)).toEqual([
    'split',
    'pairs',
    'html',
    'replace',
    'person',
    'case',
    'slug',
    'url',
    'number',
    'multiply',
    'boolean',
    'date',
    'map',
    'lookup',
    'json',
  ]);
});
