import { expect } from 'vitest';
import type { cliForEachTest } from './cli.ts';

/** Three rows, one of them invalid. */
export const ONE_INVALID = `name,reference,price.salePrice
Tea,T,3
Mug,M,abc
Cup,C,4
`;
export const ALL_VALID = ONE_INVALID.replace('abc', '5');

/** Commands that prune runs and look at what is left of them. */
export function pruningWith({ importProducts, reports, run }: ReturnType<typeof cliForEachTest>) {
  return {
    async prune(...args: string[]) {
      const { code, stdout, stderr } = await run('run', 'prune', '--older-than', '0d', '--json', ...args);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    },

    async listed() {
      return JSON.parse((await run('run', 'list', '--json')).stdout) as {
        run: string;
        outcomes: object;
        pruned_at: string | null;
        next: string[];
      }[];
    },

    /** Imports a file twice, so that the second run has nothing that stays. Returns the ids of both runs. */
    async importTwice(text = ALL_VALID): Promise<[string, string]> {
      await importProducts(text, 'one');
      await importProducts(text, 'two');
      return [reports('one').summary.run, reports('two').summary.run];
    },
  };
}
