import { type KeptRow, keptRow, type Row } from '../../model/index.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { cleanCell } from './cell.ts';
import type { Changes } from './changes.ts';

type NoteChange = Changes['add'];

/** A row with clean cells and its original ones: rejects have the rows as they were read. */
interface CleanRow extends Row {
  readonly asRead: readonly string[];
}

/** The row with its cells before cleaning. */
export function rowAsRead(row: Row): KeptRow {
  return keptRow(row, (row as Partial<CleanRow>).asRead);
}

/** The same files with clean cells. */
export function withCleanRows(inputs: ImportInputs, changes: Changes): ImportInputs {
  return { ...inputs, files: inputs.files.map((input) => cleanInput(input, changes)) };
}

function cleanInput(input: InputFile, changes: Changes): InputFile {
  const { source } = input;
  if (source.table.items !== undefined) return input;
  async function* cleaned(batches: AsyncIterable<readonly Row[]>, note: NoteChange): AsyncGenerator<Row[]> {
    for await (const rows of batches) yield rows.map((row) => cleanRow(row, note));
  }
  const { again } = input;
  return {
    ...input,
    // A scan of the file would see its cells before cleaning.
    source: { ...source, batches: cleaned(source.batches, changes.add), reread: undefined },
    // Changes are counted only in the first pass.
    again: again && (() => cleaned(again(), () => {})),
  };
}

/** Leaves damaged rows as they are, since their cells may be anything. They are rejected later. */
function cleanRow(row: Row, note: NoteChange): Row {
  if (row.issues) return row;
  const { file, header } = row.table;
  const cells = row.cells.map((cell, index) =>
    cleanCell(cell, (kind, before, after) =>
      note(kind, { file, row: row.row, column: header[index] ?? '', before, after }),
    ),
  );
  const clean: CleanRow = { asRead: row.cells, ...row, cells };
  return clean;
}
