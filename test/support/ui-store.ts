import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { environmentOf } from './run.ts';
import { type RunningUi, startUi } from './ui.ts';

/** A page with a store that outlives its runs, as profiles have. */
export async function uiWithStore(
  cwd: string,
  options: Parameters<typeof startSandbox>[0] = {},
): Promise<{ ui: RunningUi; sandbox: Sandbox; agreed: string }> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const ui = await startUi(cwd, { env: environmentOf(sandbox) });
  return { ui, sandbox, agreed: sandbox.url };
}

/** Writes products.csv. `wrong`: indexes of the rows whose price is a word. */
export function writeProducts(cwd: string, count: number, wrong: readonly number[] = []): void {
  const rows = Array.from(
    { length: count },
    (_, n) => `P-${n},Product ${n},${wrong.includes(n) ? 'twelve' : n}`,
  );
  writeFileSync(join(cwd, 'products.csv'), `reference,name,price.salePrice\n${rows.join('\n')}\n`);
}

export function storedReferences(sandbox: Sandbox) {
  return (sandbox.records('products') as JsonObject[]).map(({ reference }) => reference);
}
