import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReports, storeportProcess, temporaryFolder } from '../../support/run.ts';

const SCRIPT = "process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))";
const SAY_MEMORY = `data:text/javascript,${encodeURIComponent(SCRIPT)}`;

/** Peak memory of a check of one record, in MB, and the issue. */
async function check(expression: string): Promise<{ peakMb: number; codes: (string | undefined)[] }> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'Title\nLamp\n');
  const fields = { name: { expression }, reference: { const: 'r' }, productType: { const: 'PHYSICAL' } };
  writeFileSync(join(cwd, 'mine.yaml'), JSON.stringify({ resource: 'products', fields }));
  const args = ['validate', 'products', 'in.csv', '--mapping', './mine.yaml', '--out', 'out'];
  const { stderr } = await storeportProcess(args, { cwd, env: { NODE_OPTIONS: `--import=${SAY_MEMORY}` } });
  const peak = /peak (\d+)/.exec(stderr)?.[1];
  expect(peak).toBeDefined();
  return {
    peakMb: Number(peak) / 1024,
    codes: readReports(join(cwd, 'out')).results.map(({ code }) => code),
  };
}

test('an expression with excessive output is stopped before it fills the memory', async () => {
  const usual = await check('Title');
  expect(usual.codes).toEqual(['']);
  for (const expression of [
    '$string($map([1..9999], function($n) { $pad("x", 1000 + $n) }))',
    '$pad("x", 500000000)',
    '$map([1..9999], function($n) { [1..9999] })',
    '$string($reduce([1..60], function($a, $b) { [[$a], [$a]] }, [1]))',
    '$reduce([1..60], function($a, $b) { {"a": $a, "b": $a} }, {"c": 1})',
    '$join([1..9999].$string(), $pad("x", 900000))',
    '$count($match($pad("x", 200000, "x"), /x/))',
    '$map($map([1..9999], function($n) { $pad("x", 2000) }), $base64encode)',
  ]) {
    const { codes, peakMb } = await check(expression);
    expect({ expression, codes }).toEqual({ expression, codes: ['expression-limit'] });
    expect(peakMb - usual.peakMb).toBeLessThan(150);
  }
});
