/** The message of an earlier run, a quoted cell, a sentence about another run and its rows, or a row of this file. */
const ROW = /\bnot corrected since [\s\S]*|"[^"]*"|\bthe run \d{8}-[^;]*|\brow (\d+)\b/g;

/**
 * Names rows in a message by other numbers: a person does not see the file that the page made for a command. Leaves
 * quoted cells and rows of earlier runs as they are. `rowOf`: returns the number in the file that the person knows;
 * undefined leaves a number as it is.
 */
export function withRowNames(message: string, rowOf: (row: number) => number | undefined): string {
  return message.replace(ROW, (found, row?: string) =>
    row === undefined ? found : `row ${rowOf(Number(row)) ?? row}`,
  );
}
