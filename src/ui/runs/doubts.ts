import { ConfigError } from '../../model/index.ts';
import { doubtIn, findingsByName, refuseWrongIds, resolveRun, runNamed } from '../../pipeline/index.ts';
import type { DoubtsView, SettleDoubts } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { IGNORE_TROUBLE } from './ledger-state.ts';

const MOST_SHOWN = 1000;

/** The records of a run whose answer was lost. */
export async function doubtsView({ home, commands }: UiContext, name: string): Promise<DoubtsView> {
  const { doubtful } = await doubtIn(home, name, IGNORE_TROUBLE);
  const { id, resource, remembered } = await runNamed(home, name);
  const described = (await commands.resources()).find((each) => each.name === resource);
  return {
    total: doubtful.length,
    doubts: doubtful.slice(0, MOST_SHOWN).map(({ row, file, key, code }) => ({
      ...{ row, key, code },
      ...(file === undefined ? {} : { file }),
    })),
    // Records are looked for by their key in the list.
    canAsk: remembered && described?.list !== undefined && described.key !== undefined,
    command: commands.commandLine(['run', 'resolve', id]),
  };
}

/** Records what a person found in the store. Throws ConfigError if an answer cannot be right; then none is recorded. */
export async function settleDoubts(
  context: UiContext,
  name: string,
  { answers }: SettleDoubts,
): Promise<DoubtsView> {
  const { home, commands } = context;
  refuseWrongIds(answers);
  const { refused, released } = await resolveRun(
    { home, name, exitCodeOf: commands.exitCodeOf },
    async ({ doubtful }) => findingsByName(answers, doubtful),
  );
  if (refused.length > 0)
    throw new ConfigError(refused.join('\n'), [
      'The other answers were recorded. Look in the store once more.',
    ]);
  return { ...(await doubtsView(context, name)), released };
}
