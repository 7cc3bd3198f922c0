import type { Position, Row } from '../../model/index.ts';
import type { BlockReader } from '../../read/index.ts';
import { createSuspicions } from '../../suspect/index.ts';
import { countEmptyRows, withoutEmptyRows } from '../inputs/empty-rows.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { createMappingWarnings } from '../inputs/mapping-warnings.ts';
import { withoutSkipped } from '../inputs/skip-rows.ts';
import { createLook, openLook } from '../look/look.ts';
import { createRecordSteps } from '../prepare/map-and-validate.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { plannerFor } from '../prepare/prepare-records.ts';
import { createPreview } from '../prepare/preview.ts';
import { createUnusedCells } from '../prepare/unused-cells.ts';
import { thrownAs } from '../reader/thrown.ts';
import type { BlockJob } from './block-job.ts';
import {
  BLOCKS_AHEAD,
  type BlockAnswer,
  type BlockDuplicates,
  type BlockNotes,
  type BlockRequest,
  type RepeatRequest,
} from './block-messages.ts';

/** Maps blocks of one file, each with findings of its own. */
export interface BlockMapper<Batch> {
  map(request: BlockRequest): Promise<BlockAnswer<Batch>>;
  /** Maps one of the last blocks again, with these duplicates. */
  again(request: RepeatRequest): Promise<Batch>;
}

/** Blocks that are remembered: more than a thread can have before it is known which records are duplicates. */
const REMEMBERED = 2 * BLOCKS_AHEAD;

/** How a block is read again. Rows are kept only of one that cannot be read alone: they would survive collections. */
type Remembered = Pick<BlockRequest, 'start' | 'end' | 'encoding'> & { readonly rows?: Row[][] | undefined };

/** Maps blocks of the only file of `inputs`. `mayRepeat`: true if blocks may be mapped again. */
export function createBlockMapper<Batch>(
  inputs: ImportInputs,
  options: PrepareOptions,
  createJob: BlockJob<Batch>,
  mayRepeat: boolean,
): BlockMapper<Batch> {
  const [opened] = inputs.files as readonly [InputFile];
  const { source, binding } = opened;
  const planner = plannerFor(inputs, { ...options, dryRun: true });
  let reader: BlockReader | undefined;
  let input = opened;
  let leftOut: string[] = [];
  let blocks = 0;
  const remembered = new Map<number, Remembered>();
  const steps = createRecordSteps(inputs, options, {
    noteWarnings: (...noted) => input.mappingWarnings.add(...noted),
    onLeftOut: (path) => void leftOut.push(path),
  });

  function readerFor(start: Position | undefined, encoding: string): BlockReader {
    if (start) reader = source.blockReader?.(start, encoding);
    if (!reader) throw new Error('a block that continues another needs its reader');
    return reader;
  }

  function jobFor(rows: Iterable<Row[]>, watch: Partial<PrepareOptions>, duplicates: BlockDuplicates) {
    input = inputOfBlock(opened, rows, options.resource.name);
    leftOut = [];
    binding.ruleUse?.fill(0);
    const here = { ...inputs, files: [input] };
    return createJob(here, { planner, steps }, { ...options, ...watch }, duplicates);
  }

  return {
    async map({ bytes, start, isPart, end, encoding, show, looks }) {
      const from = readerFor(start, encoding);
      const number = blocks++;
      const rows: Row[][] | undefined = isPart && mayRepeat ? [] : undefined;
      if (mayRepeat) remembered.set(number, { start, end, encoding, rows });
      remembered.delete(number - REMEMBERED);
      const preview = createPreview(show, options.resource);
      const unused = createUnusedCells();
      let records = 0;
      const watch: Partial<PrepareOptions> = {
        onPrepared: (count) => {
          records += count;
        },
        onChecked(checked) {
          preview.note(checked, binding);
          if (looks) unused.note(checked, binding);
        },
      };
      const read = from.read(Buffer.from(bytes.buffer), end);
      const job = jobFor(rows ? noted(read, rows) : read, watch, []);
      let failed: BlockAnswer<Batch>['failed'];
      try {
        await job.run();
      } catch (error) {
        failed = thrownAs(error);
      }
      const notes: BlockNotes = {
        records,
        emptyRows: { ...input.emptyRows.all(), seen: input.emptyRows.seen() },
        skippedRows: input.skipped.rows,
        suspicious: input.suspicions.all(),
        warnings: input.mappingWarnings.all(),
        look: openLook(input.look),
        leftOutImages: leftOut.length,
        leftOutImage: leftOut[0],
        ruleUse: binding.ruleUse?.slice(),
        shown: preview.shown,
        unused: unused.found(),
      };
      const next = from.next();
      // The answer moves its bytes away. A reader in the middle of a row still needs them.
      const given = next === undefined && !end ? bytes.slice() : bytes;
      return { number, bytes: given, next, batch: job.batch(), notes, failed };
    },
    async again({ number, bytes, duplicates }) {
      const { start, end, encoding, rows } = remembered.get(number) ?? {};
      const reader = start && source.blockReader?.(start, encoding ?? '');
      const read = rows ?? reader?.read(Buffer.from(bytes.buffer), end === true);
      if (!read) throw new Error(`block ${number} is not remembered`);
      const job = jobFor(read, {}, duplicates);
      await job.run();
      return job.batch();
    },
  };
}

/** Passes rows on, and adds them to a list. */
function* noted(batches: Iterable<Row[]>, list: Row[][]): Generator<Row[]> {
  for (const rows of batches) {
    list.push(rows);
    yield rows;
  }
}

/** The file as if it had only these rows. */
function inputOfBlock(opened: InputFile, rows: Iterable<Row[]>, resource: string): InputFile {
  const { source, binding } = opened;
  const emptyRows = countEmptyRows();
  async function* batches(): AsyncGenerator<Row[]> {
    yield* rows;
  }
  const filled = withoutEmptyRows({ ...source, batches: batches() }, emptyRows);
  const kept = withoutSkipped(filled.batches, binding);
  return {
    ...opened,
    source: { ...source, batches: kept.batches, reread: undefined },
    again: undefined,
    skipped: kept.skipped,
    emptyRows,
    suspicions: createSuspicions([], Number.POSITIVE_INFINITY),
    mappingWarnings: createMappingWarnings(),
    look: createLook(resource),
  };
}
