import {
  contentDigest,
  damageMarkIn,
  identifierOf,
  isOwnColumn,
  messageIn,
  notCorrected,
  surplusColumnOf,
  surplusIn,
} from '../../model/index.ts';
import { type IssueText, surplusCells } from '../messages.ts';

/**
 * Finds the issue that a row of a reimported report still has. Such a row may look sound although it was not corrected,
 * or although it still has surplus cells: a value of the shop would be lost.
 */
export type FindUncorrected = (cells: readonly string[]) => IssueText | undefined;

/** Undefined for a file that is not a report such as errors.csv. */
export function uncorrectedFinder(header: readonly string[]): FindUncorrected | undefined {
  if (!header.some(isOwnColumn)) return undefined;
  const column = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name);
  const [run, code, message] = [
    column('storeport_run'),
    column('storeport_code'),
    column('storeport_message'),
  ];
  const surplusAt = surplusColumnOf(header);
  const textIn = (cells: readonly string[], index: number) => identifierOf(cells[index] ?? '');
  return (cells) => {
    const said = textIn(cells, message);
    const mark = damageMarkIn(said);
    // Clearing either cell declares that the row is right, or that it is another row.
    const isTied = mark && textIn(cells, run) !== '' && textIn(cells, code) !== '';
    if (isTied && contentDigest(header, cells) === mark.digest)
      return { code: mark.code, message: notCorrected(textIn(cells, run), messageIn(said)) };
    const surplus = surplusIn(header, cells, surplusAt);
    return surplus === '' ? undefined : surplusCells(surplus);
  };
}
