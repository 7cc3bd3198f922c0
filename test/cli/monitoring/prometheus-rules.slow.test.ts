import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { environmentOf, storeport, temporaryFolder } from '../../support/run.ts';

// docs/examples/prometheus-rules.yaml: each alert has an example of its failure, made by the binary.

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const file = new URL('../../../docs/examples/prometheus-rules.yaml', import.meta.url);
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Example {
  readonly args: readonly string[];
  readonly faults?: GivenFaults;
  readonly csv?: string;
}

const IMPORT = ['import', 'products', 'in.csv', '--out', 'out'];
const EXPORT = ['export', 'reviews', '--out', 'r.csv'];
const GOOD = 'name,reference\nMug,M-1\n';

/** The failure that an alert is for; undefined if it is that nothing has ended for hours. */
const EXAMPLES: Readonly<Record<string, Example | undefined>> = {
  StoreportStopped: { args: EXPORT, faults: { html: '100%@list' } },
  StoreportWrong: { args: [...EXPORT, '--filter', 'stars=5'] },
  StoreportIncomplete: { args: IMPORT, csv: 'name,reference\nMug,M-1\n,M-2\n' },
  StoreportInDoubt: { args: IMPORT, faults: { 'late-reset': '#1@create' } },
  StoreportManyRejected: { args: IMPORT, csv: 'name,reference\n,M-2\n' },
  StoreportNothingExported: { args: [...EXPORT, '--since', '2999-01-01'] },
  StoreportNoSuccess: undefined,
  StoreportKilled: undefined,
};

type Samples = ReadonlyMap<string, number>;

/** Runs the binary with metrics. Returns the samples by name, with the label `outcome` if there is one. */
async function samplesOf(
  { args, faults = {}, csv = GOOD }: Example,
  whenFinished?: (clean: () => void) => void,
): Promise<Samples> {
  const sandbox = await startSandbox({ seed: 5, faults });
  try {
    const cwd = temporaryFolder(whenFinished);
    writeFileSync(join(cwd, 'in.csv'), csv);
    await storeport([...args, '--metrics', 'm.prom'], { cwd, env: environmentOf(sandbox) });
    const lines = readFileSync(join(cwd, 'm.prom'), 'utf8').trimEnd().split('\n');
    return new Map(
      lines.flatMap((line) => {
        const [, name = '', outcome, value] =
          /^(\w+)\{[^}]*?(?:outcome="([^"]*)")?\} (\S+)$/.exec(line) ?? [];
        return value === undefined ? [] : [[outcome ? `${name} ${outcome}` : name, Number(value)] as const];
      }),
    );
  } finally {
    await sandbox.close();
  }
}

/** Evaluates `metric{outcome="x"} > 3`; undefined for an expression of another form. */
function fires(expr: string, samples: Samples): boolean | undefined {
  const [, name = '', labels = '', operator, limit] =
    /^(\w+)(?:\{([^}]*)\})? (==|>) (\d+)$/.exec(expr.trim()) ?? [];
  if (operator === undefined) return undefined;
  const [, outcome] = /outcome="([^"]*)"/.exec(labels) ?? [];
  const value = samples.get(outcome === undefined ? name : `${name} ${outcome}`);
  return value !== undefined && (operator === '>' ? value > Number(limit) : value === Number(limit));
}

test('every alert has an example', () => {
  expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(EXAMPLES).sort());
});

describe('examples', () => {
  let calm: Samples;
  beforeAll(async () => {
    const nights = [await samplesOf({ args: IMPORT }, afterAll), await samplesOf({ args: EXPORT }, afterAll)];
    calm = new Map(nights.flatMap((night) => [...night]));
  });

  test.each(rules)('all figures that $alert names are written', ({ expr }) => {
    const names = [...expr.matchAll(/storeport_\w+/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    const written = new Set([...calm.keys()].map((name) => name.split(' ')[0]));
    expect(names.filter((name) => !written.has(name))).toEqual([]);
  });

  test.each(rules.filter(({ alert }) => EXAMPLES[alert]))(
    '$alert is for its example, and not for a calm night',
    async ({ alert, expr }) => {
      const samples = await samplesOf(EXAMPLES[alert] as Example);
      const found = fires(expr, samples);
      if (found === undefined) {
        // A part of all records.
        expect(expr).toContain('/ sum');
        expect(samples.get('storeport_last_records invalid')).toBe(1);
        expect(calm.has('storeport_last_records invalid')).toBe(false);
        return;
      }
      expect(found).toBe(true);
      expect(fires(expr, calm)).toBe(false);
    },
  );
});
