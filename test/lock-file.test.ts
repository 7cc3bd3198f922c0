import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

const { engines, allowScripts } = read('package.json');
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
const dependencies = Object.entries(packages).filter(([path]) => path !== '');

test('every dependency supports the lowest Node of the project, so that npm warns of none', () => {
  const lowest = engines.node.replace('>=', '');
  expect(dependencies.length).toBeGreaterThan(100);
  expect(dependencies.filter(([, { engines }]) => !isIn(engines?.node ?? '*', lowest))).toEqual([]);
});

test.each([
  ['>=22.12.0', false],
  ['>= 20.19', true],
  ['^20.20.0 || >=22.12.0', false],
  ['^18 || ^20.9.0', true],
  ['18 || 20.18 || >=22', false],
  ['18 || 20', true],
  ['6.* || 20.x', true],
  ['>=v12.22.7', true],
])('the range "%s" includes Node 20.19: %s', (range, expected) => {
  expect(isIn(range, '20.19')).toBe(expected);
});

test('every package with an install script is allowed or denied by name, and no other one', () => {
  const withScripts = dependencies
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameIn(path));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
});

test('OpenTelemetry is installed once: its packages agree on their versions', () => {
  const paths = dependencies.map(([path]) => path).filter((path) => path.includes('@opentelemetry/'));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => path.lastIndexOf('node_modules/') > 0)).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: files of npm
function read(file: string): any {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Throws for a range of another form than those of today's dependencies. */
function isIn(range: string, version: string): boolean {
  return range.split('||').some((part) => {
    const [, sign, text] = /^(>=|\^|)\s*v?([\d.x*]+)$/.exec(part.trim()) ?? [];
    if (text === undefined) throw new Error(`extend this function for the range "${range}"`);
    const wanted = text
      .split('.')
      .filter((number) => /\d/.test(number))
      .map(Number);
    const actual = version.split('.').map(Number);
    const difference =
      wanted.map((number, index) => (actual[index] ?? 0) - number).find((each) => each !== 0) ?? 0;
    if (sign === '>=') return difference >= 0;
    if (sign === '^') return difference >= 0 && wanted[0] === actual[0];
    return difference === 0;
  });
}
