import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { loadPreset, presetIndex } from '../../../src/map/index.ts';
import { binary } from '../../support/run.ts';

test.each(presetIndex())('the head of $name says the same as the whole preset', (head) => {
  const { name, title, resource, recognise, aliases, joined } = loadPreset(head.name);
  expect(head).toEqual({ name, title, resource: resource.name, recognise, aliases: [...aliases], joined });
});

test('the index in the bundle is the one that parsing the presets gives', () => {
  const [file, ...others] = readdirSync(dirname(binary)).filter((name) =>
    /^preset-index-\w+\.cjs$/.test(name),
  );
  expect(others).toEqual([]);
  const bundled = createRequire(binary)(`./${file}`) as { presetIndex: typeof presetIndex };
  expect(bundled.presetIndex()).toEqual(presetIndex());
});
