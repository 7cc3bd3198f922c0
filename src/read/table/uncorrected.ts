import {
  damageMarkIn,
  identifierOf,
  isOwnColumn,
  messageIn,
  notCorrected,
  surplusColumnOf,
  surplusIn,
  unchangedColumns,
} from '../../model/index.ts';
import { type IssueText, surplusCells } from '../messages.ts';

/**
 * Finds the issues that a row of a reimported report still has. Such a row may look sound although it was not corrected,
 * or although it still has surplus cells: a value of the shop would be lost.
 */
export type FindUncorrected = (cells: readonly string[]) => readonly IssueText[];

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
    const damaged = isTied ? unchangedColumns(mark.digests, header, cells) : [];
    if (mark && damaged.length > 0)
      return notCorrectedIn(damaged, mark.code, notCorrected(textIn(cells, run), messageIn(said)));
    const surplus = surplusIn(header, cells, surplusAt);
    return surplus === '' ? [] : [surplusCells(surplus)];
  };
}

/** An issue for each damaged cell, so that the next report knows them all. The first one has the message. */
function notCorrectedIn(
  columns: readonly (string | undefined)[],
  code: string,
  message: string,
): readonly IssueText[] {
  return columns.map((column, index) => {
    const text = index === 0 ? message : 'not corrected either';
    return column === undefined ? { code, message: text } : { code, message: text, column };
  });
}
