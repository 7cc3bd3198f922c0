import { describe, expect, test } from 'vitest';
import {
  exportable,
  fieldType,
  importable,
  RESOURCES,
  resourceNamed,
  typeAt,
} from '../../src/resources/index.ts';
import { refusal } from '../support/map-rows.ts';

describe('the resources', () => {
  test('are found by name, each in its own choice', () => {
    for (const resource of RESOURCES) expect(resourceNamed(resource.name)).toBe(resource);
    expect(resourceNamed('products', importable).name).toBe('products');
    expect(resourceNamed('reviews', exportable).name).toBe('reviews');
  });

  test.each([
    ['product', RESOURCES],
    ['Products', RESOURCES],
    ['reviews', importable],
    ['orders', exportable],
    ['constructor', RESOURCES],
    ['', RESOURCES],
  ])('%j is refused with what there is', (name, choice) => {
    const names = choice.map((resource) => resource.name).join(', ');
    expect(refusal(() => resourceNamed(name, choice)).message).toBe(
      `There is no resource "${name}" for this command. Choose one of: ${names}.`,
    );
  });

  test('have names of their own', () => {
    const names = RESOURCES.flatMap(({ name, singular }) => [name, singular]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(RESOURCES)('$name: key, columns and settings are fields of its schema', (resource) => {
    const root = fieldType(resource.schema);
    const id = resource.list?.id;
    const paths = [
      ...(resource.key ?? []),
      ...(resource.requiredWhen ?? []).flatMap(({ field, when }) => [field, when.field]),
      ...(resource.fromSettings ?? []),
      ...resource.columns,
      // Of what can be created the store makes it: then it is no field of a payload.
      ...(id && !resource.create ? [id] : []),
    ];
    expect(paths.filter((path) => !typeAt(root, path.split('.')))).toEqual([]);
    expect(new Set(resource.columns).size).toBe(resource.columns.length);
  });

  test.each(importable)('$name can be created and told apart', ({ name, create, key, envelopes }) => {
    expect(create?.path).toMatch(/^\/api\//);
    // Of an order the payload says nothing that would tell it from another.
    if (name === 'orders') expect(key).toBeUndefined();
    else expect(key?.length).toBeGreaterThan(0);
    expect(envelopes).toContain('data');
  });
});
