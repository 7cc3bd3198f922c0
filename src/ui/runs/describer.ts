import { type DescribedRun, describeRun } from '../../pipeline/index.ts';
import type { LedgerStates } from './ledger-state.ts';

/** Descriptions that are kept. Each has a few kilobytes. */
const MOST_KEPT = 20;

/** Describes runs, and reads a run of a million records again only if it may have changed. */
export function createDescriber(
  home: string,
  states: LedgerStates,
  options: Parameters<typeof describeRun>[2],
): (id: string) => Promise<DescribedRun> {
  const kept = new Map<string, { readonly mark: string; readonly described: Promise<DescribedRun> }>();
  return async (id) => {
    const { mark } = await states(id);
    const known = kept.get(id);
    if (known?.mark === mark) return known.described;
    const described = describeRun(home, id, options);
    kept.delete(id);
    kept.set(id, { mark, described });
    described.catch(() => kept.delete(id));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return described;
  };
}
