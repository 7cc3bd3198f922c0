import type { FixesView, FixRows, FixRowsView } from '../../src/ui/api/index.ts';
import { createRuns } from '../../src/ui/runs/runs.ts';
import { callerOf, uiContextIn } from './ui-context.ts';

/** Five rows, three of them invalid. */
export const THREE_INVALID = `name,reference,price.salePrice
Tea,T,3
Mug,M,abc
Cup,C,4
Pot,P,def
Jar,J,ghi
`;

/** The fix grid of a run, by default the latest in the folder. A new one for each call is a server that was started again. */
export async function fixGridIn(folder: string, given?: string) {
  const run = given ?? (await latestRunIn(folder));
  const runs = createRuns(uiContextIn(folder));
  const call = callerOf(runs.routes);
  return {
    run,
    rows: (query = 'count=500') => call(`GET /runs/${run}/rows?${query}`) as Promise<FixRowsView>,
    edit: (edit: FixRows, version?: string) =>
      call(
        `POST /runs/${run}/rows${version === undefined ? '' : `?version=${version}`}`,
        edit,
      ) as Promise<FixesView>,
    words: async () => (await runs.fixesToSend(run)).words,
    toSend: () => runs.fixesToSend(run),
  };
}

/** Id of the latest run in the folder; empty if there is none. */
export async function latestRunIn(folder: string): Promise<string> {
  return (await createRuns(uiContextIn(folder)).latest())[0]?.run ?? '';
}
