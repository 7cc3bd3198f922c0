import type { Block, Source } from '../../read/index.ts';
import { createSuspicions } from '../../suspect/index.ts';
import { countEmptyRows } from '../inputs/empty-rows.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { createMappingWarnings } from '../inputs/mapping-warnings.ts';

/**
 * The files of a command with counts of their own, to be read as blocks. The first pass has read some rows, so each file is
 * opened again when its blocks are read.
 */
export function readAgain(inputs: ImportInputs): ImportInputs {
  return { ...inputs, files: inputs.files.map(inputAgain) };
}

function inputAgain(input: InputFile): InputFile {
  return {
    ...{ ...input, source: sourceAgain(input.source), skipped: { rows: 0 }, emptyRows: countEmptyRows() },
    ...{ suspicions: createSuspicions(), mappingWarnings: createMappingWarnings() },
  };
}

function sourceAgain(first: Source): Source {
  let source: Source | undefined;
  async function* blocks(blockBytes: number): AsyncGenerator<Block, void> {
    source = await first.reread?.open();
    if (!source?.blocks) throw new Error('only a table of CSV has blocks');
    yield* source.blocks(blockBytes);
  }
  return {
    ...first,
    blocks,
    reading: () => (source ?? first).reading(),
    bytesRead: () => source?.bytesRead() ?? 0,
    digest: () => source?.digest(),
    close: async () => source?.close(),
  };
}
