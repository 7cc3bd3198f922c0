import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertySettings, repeating, scaledRuns } from './support/property-tests.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

describe('settings of property tests', () => {
  test.each([
    [{}, 1, 0.25],
    [{ CI: 'true' }, 1, 1],
    [{ STOREPORT_PROPERTY_TESTS: 'seed=-7' }, -7, 0.25],
    [{ STOREPORT_PROPERTY_TESTS: 'cases=100%' }, 1, 1],
    [{ STOREPORT_PROPERTY_TESTS: 'seed=7,cases=1000%' }, 7, 10],
    [{ CI: 'true', STOREPORT_PROPERTY_TESTS: 'cases=5%' }, 1, 0.05],
  ])('of %j are the seed %d and a share of %d', (environment, seed, cases) => {
    expect(propertySettings(environment)).toEqual({ seed, cases });
  });

  test.each(['7', 'seed=x', 'cases=half', 'cases=1', 'cases=5%,seed=7'])(
    'of %j are refused, and the message shows how they are written',
    (given) => {
      expect(() => propertySettings({ STOREPORT_PROPERTY_TESTS: given })).toThrow(
        `STOREPORT_PROPERTY_TESTS is "${given}". Write it like seed=7,cases=100%`,
      );
    },
  );

  test('settings are the same after they are printed', () => {
    const [name = '', value = ''] = repeating({ seed: 7, cases: 0.29 }).split(/=(.*)/);
    expect(propertySettings({ [name]: value })).toEqual({ seed: 7, cases: 0.29 });
  });
});

test('a property test that fails names the settings that repeat it', async () => {
  const repeated = repeating(propertySettings(process.env));
  expect(() => fc.assert(fc.property(fc.nat(), (n) => n < 3))).toThrow(`Repeat it with ${repeated}`);
  await expect(fc.assert(fc.asyncProperty(fc.nat(), async (n) => n < 3))).rejects.toThrow(repeated);
});

test('a property test without a number of cases runs its share of a hundred', () => {
  let runs = 0;
  fc.assert(
    fc.property(fc.nat(), () => {
      runs++;
    }),
  );
  expect(runs).toBe(scaledRuns(100));
});

test('every number of cases is scaled, and no test has a seed of its own', () => {
  const unscaled = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(`${folder}${file}`, 'utf8');
      const params = [...text.matchAll(/\{[^{}]*\bnumRuns\b[^{}]*\}/g)].map(([found]) => found);
      const isScaled = (found: string) => /numRuns: scaledRuns\(/.test(found) && !/\bseed\b/.test(found);
      return params.filter((found) => !isScaled(found)).map((found) => `${file}: ${found}`);
    });
  expect(unscaled).toEqual([]);
});
