import { describe, expect, test } from 'vitest';
import {
  exportable,
  fieldType,
  importable,
  RESOURCES,
  type Resource,
  resourceNamed,
  typeAt,
} from '../../src/resources/index.ts';
import { EXPORTABLE_NAMES, IMPORTABLE_NAMES, READ_ONLY_FILTERS } from '../../src/resources/names.ts';
import { refusal } from '../support/map-rows.ts';

describe('the resources', () => {
  test('have the names and filters that the help shows', () => {
    const names = (resources: readonly Resource[]) => resources.map(({ name }) => name);
    expect(IMPORTABLE_NAMES).toEqual(names(importable));
    expect(EXPORTABLE_NAMES).toEqual(names(exportable));
    const filters = RESOURCES.filter(({ create }) => !create).map(({ name, list }) => [
      name,
      Object.keys(list?.filters ?? {}),
    ]);
    expect(Object.entries(READ_ONLY_FILTERS)).toEqual(filters);
  });

  test('are found by name, each among the resources of a command', () => {
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
  ])('%j is refused with the available names', (name, choice) => {
    const names = choice.map((resource) => resource.name).join(', ');
    expect(refusal(() => resourceNamed(name, choice)).message).toBe(
      `There is no resource "${name}" for this command. Choose one of: ${names}.`,
    );
  });

  test('have unique names', () => {
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
      // The identifier of a record that can be created comes from the store, so it is not a field of a payload.
      ...(id && !resource.create ? [id] : []),
    ];
    expect(paths.filter((path) => !typeAt(root, path.split('.')))).toEqual([]);
    expect(new Set(resource.columns).size).toBe(resource.columns.length);
  });

  test.each(importable)('$name can be created and identified', ({ name, create, key, envelopes }) => {
    expect(create?.path).toMatch(/^\/api\//);
    // No field of an order identifies it.
    if (name === 'orders') expect(key).toBeUndefined();
    else expect(key?.length).toBeGreaterThan(0);
    expect(envelopes).toContain('data');
  });
});
