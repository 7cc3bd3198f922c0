import { ConfigError, identifierFault } from '../../model/index.ts';
import { type Doubtful, doubtIn, type Finding, resolveRun, runNamed } from '../../pipeline/index.ts';
import type { DoubtsView, SettleDoubts } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { IGNORE_TROUBLE } from './ledger-state.ts';

const MOST_SHOWN = 1000;

/** The records of a run whose answer was lost. */
export async function doubtsView({ home, commands }: UiContext, name: string): Promise<DoubtsView> {
  const { doubtful } = await doubtIn(home, name, IGNORE_TROUBLE);
  const { resource, remembered } = await runNamed(home, name);
  const described = (await commands.resources()).find((each) => each.name === resource);
  return {
    total: doubtful.length,
    doubts: doubtful.slice(0, MOST_SHOWN).map(({ row, file, key, code }) => ({
      ...{ row, key, code },
      ...(file === undefined ? {} : { file }),
    })),
    // Records are looked for by their key in the list.
    canAsk: remembered && described?.list !== undefined && described.key !== undefined,
  };
}

type Answer = SettleDoubts['answers'][number];

/** Records what a person found in the store. Throws ConfigError if an answer cannot be right; then none is recorded. */
export async function settleDoubts(
  context: UiContext,
  name: string,
  { answers }: SettleDoubts,
): Promise<DoubtsView> {
  const { home, commands } = context;
  refuseWrongIds(answers);
  const { refused } = await resolveRun(
    { home, name, exitCodeOf: commands.exitCodeOf },
    async ({ doubtful }) => findingsFor(answers, doubtful),
  );
  if (refused.length > 0)
    throw new ConfigError(refused.join('\n'), [
      'The other answers were recorded. Look in the store once more.',
    ]);
  return doubtsView(context, name);
}

/** Two records cannot be one in the store: an update of one would change the other. */
function refuseWrongIds(answers: readonly Answer[]): void {
  const holders = new Map<string, string>();
  for (const { id, key } of answers) {
    if (id === null) continue;
    const fault = identifierFault(id.trim());
    if (fault !== undefined)
      throw new ConfigError(`"${id}" for "${key}" is not an identifier: ${fault}.`, [
        'Copy the identifier that the store shows.',
      ]);
    const holder = holders.get(id.trim());
    if (holder !== undefined)
      throw new ConfigError(`"${holder}" and "${key}" have the same identifier, ${id.trim()}.`, [
        'Each record has an identifier of its own: look in the store once more.',
      ]);
    holders.set(id.trim(), key);
  }
}

function findingsFor(answers: readonly Answer[], doubtful: readonly Doubtful[]): Map<Doubtful, Finding> {
  const nameOf = ({ row, file, key }: Pick<Doubtful, 'row' | 'file' | 'key'>) =>
    JSON.stringify([row, file ?? null, key]);
  const byName = new Map(doubtful.map((record) => [nameOf(record), record]));
  return new Map(
    answers.map((answer) => {
      const record = byName.get(nameOf(answer));
      if (!record)
        throw new ConfigError(`"${answer.key}", row ${answer.row}, is not in doubt any more.`, [
          'Nothing was changed. Reload the page.',
        ]);
      return [record, answer.id === null ? 'not-there' : { id: answer.id.trim() }];
    }),
  );
}
