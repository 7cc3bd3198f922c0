import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import type { CreatedCollection } from '../../src/sandbox/index.ts';
import { sample } from './run.ts';

/** A step of a plan in `samples/shop/`, with absolute paths. */
export interface ShopStep {
  readonly resource: CreatedCollection;
  readonly file: string;
  readonly mapping?: string;
}

/** Reads the steps of a plan in `samples/shop/`, in the order of the plan. */
export function stepsOf(plan: string): ShopStep[] {
  const path = sample(`shop/${plan}`);
  const { steps } = parseYaml(readFileSync(path, 'utf8')) as {
    steps: { import: CreatedCollection; files: string; mapping?: string }[];
  };
  return steps.map(({ import: resource, files, mapping }) => ({
    resource,
    file: join(dirname(path), files),
    ...(mapping === undefined ? {} : { mapping: join(dirname(path), mapping) }),
  }));
}

/** The words of a command line that imports a step. */
export function importOf({ resource, file, mapping }: ShopStep): string[] {
  return ['import', resource, file, ...(mapping === undefined ? [] : ['--mapping', mapping])];
}

/** Rows of a file in `samples/shop/`, by header. */
export function shopRows(file: string, delimiter = ','): Record<string, string>[] {
  const text = readFileSync(sample(`shop/${file}`));
  return parse(text, { columns: true, delimiter }) as Record<string, string>[];
}
