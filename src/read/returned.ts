import {
  contentDigest,
  damageMarkIn,
  type Issue,
  isOwnColumn,
  messageIn,
  notCorrected,
} from '../model/index.ts';

/** How rows of a report that comes back are read, such as those of errors.csv. */
export interface ReturnedRows {
  /** What was wrong with a row that looks sound in the report, and was not corrected. */
  uncorrected(cells: readonly string[]): Omit<Issue, 'origin'> | undefined;
}

/** Undefined for a file that is no report. */
export function returnedRows(header: readonly string[]): ReturnedRows | undefined {
  if (!header.some(isOwnColumn)) return undefined;
  const column = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name);
  const [run, code, message] = [
    column('storeport_run'),
    column('storeport_code'),
    column('storeport_message'),
  ];
  const textIn = (cells: readonly string[], index: number) => (cells[index] ?? '').trim();
  return {
    uncorrected(cells) {
      const said = textIn(cells, message);
      const mark = damageMarkIn(said);
      // Either cell may be cleared, to say that the row is right or that it is another one.
      const isTied = mark && textIn(cells, run) !== '' && textIn(cells, code) !== '';
      if (!isTied || contentDigest(header, cells) !== mark.digest) return undefined;
      return { code: mark.code, message: notCorrected(textIn(cells, run), messageIn(said)) };
    },
  };
}
