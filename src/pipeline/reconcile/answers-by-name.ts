import { ConfigError, identifierFault } from '../../model/index.ts';
import type { Doubtful, Finding } from './doubts.ts';

/** A person's answer about one record in doubt, on a page that lists them. */
export interface AnswerByName {
  readonly row: number;
  /** Name of the file if the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  /** The identifier in the store, or null: it is not there. */
  readonly id: string | null;
}

/** The findings of answers. Throws ConfigError if an answer cannot be right; then none should be recorded. */
export function findingsByName(
  answers: readonly AnswerByName[],
  doubtful: readonly Doubtful[],
): Map<Doubtful, Finding> {
  refuseWrongIds(answers);
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

/** Two records cannot be one in the store: an update of one would change the other. */
export function refuseWrongIds(answers: readonly Pick<AnswerByName, 'id' | 'key'>[]): void {
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
