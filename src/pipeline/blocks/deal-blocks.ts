import type { Position } from '../../model/index.ts';
import type { Block, Source } from '../../read/index.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { BLOCKS_AHEAD, type BlockAnswer, type BlockRequest } from './block-messages.ts';
import type { MergedNotes } from './merge-notes.ts';

interface Dealing<Answer> {
  readonly blocks: AsyncGenerator<Block, void>;
  /** One for each thread. Each answers its requests in order. */
  readonly mappers: readonly Mapper<Answer>[];
  /** The parts of a request that depend on what is known by now. */
  readonly wanted: () => Pick<BlockRequest, 'encoding' | 'show' | 'looks'>;
}

type Mapper<Answer> = (request: BlockRequest) => Promise<Answer>;

/** A block in work. */
interface Dealt<Answer> {
  readonly block: Block;
  readonly answer: Promise<Answer>;
}

/** A block that is read after the one above it, by the same reader. */
type Following = Pick<Block, 'bytes' | 'end'>;

/**
 * Has blocks mapped by several threads at once. Yields the answers in the order of the file. A block counts only if the
 * one above ends where it begins. If that is not so, or if rows are damaged, one thread reads the rest in order.
 */
export async function* dealBlocks<Answer extends BlockAnswer<unknown>>(
  { files }: ImportInputs,
  mappers: readonly Mapper<Answer>[],
  notes: Pick<MergedNotes, 'wanted'>,
  blockBytes: number,
): AsyncGenerator<Answer> {
  const [{ source }] = files as readonly [InputFile];
  const blocks = blocksOf(source, blockBytes);
  const wanted = () => ({ encoding: source.reading().encoding, ...notes.wanted() });
  const dealing = { blocks, mappers, wanted };
  const dealt: Dealt<Answer>[] = [];
  let number = 0;
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;

  async function deal(): Promise<void> {
    try {
      const { value: block } = await blocks.next();
      if (!block) {
        isOver = true;
        return;
      }
      const { bytes, start, end } = block;
      const map = mappers[number++ % mappers.length] as Mapper<Answer>;
      const answer = map({ bytes, start, isPart: false, end, ...wanted() });
      // A failure counts when the answer's turn comes.
      answer.catch(() => {});
      dealt.push({ block, answer });
      // Others have no beginning of their own.
      if (!block.next) isOver = true;
    } catch (error) {
      failure = { error };
      isOver = true;
    }
  }

  try {
    for (;;) {
      while (!isOver && dealt.length < mappers.length * BLOCKS_AHEAD) await deal();
      const first = dealt.shift();
      if (!first) break;
      const { block } = first;
      const answer = await first.answer;
      const isRight = block.end || answer.next !== undefined;
      if (isRight) yield answer;
      if (block.end) break;
      if (isSame(answer.next, block.next)) continue;
      const rest = await Promise.all(
        dealt.map(async ({ block: { end }, answer }) => ({ end, bytes: (await answer).bytes })),
      );
      const following = isRight ? rest : [{ end: false, bytes: answer.bytes }, ...rest];
      yield* inOneThread(following, isRight ? answer.next : block.start, dealing);
      break;
    }
  } finally {
    await blocks.return();
  }
  if (failure) throw failure.error;
}

function blocksOf({ blocks }: Source, blockBytes: number): AsyncGenerator<Block, void> {
  if (!blocks) throw new Error('only a table of CSV has blocks');
  return blocks(blockBytes);
}

function isSame(a: Position | undefined, b: Position | undefined): boolean {
  return a !== undefined && b !== undefined && a.row === b.row && a.line === b.line && a.offset === b.offset;
}

/** Reads all from `start` on in order. `first`: blocks that were cut before. */
async function* inOneThread<Answer>(
  first: readonly Following[],
  start: Position | undefined,
  { blocks, mappers, wanted }: Dealing<Answer>,
): AsyncGenerator<Answer> {
  const [map] = mappers as readonly [Mapper<Answer>];
  const answers: Promise<Answer>[] = [];
  let from = start;
  const pass = ({ bytes, end }: Following) => {
    const answer = map({ bytes, start: from, isPart: true, end, ...wanted() });
    answer.catch(() => {});
    answers.push(answer);
    from = undefined;
  };
  async function* all(): AsyncGenerator<Following, void> {
    yield* first;
    yield* blocks;
  }
  let failure: { readonly error: unknown } | undefined;
  const rest = all();
  try {
    for (;;) {
      const next = await rest.next().catch((error: unknown) => {
        failure = { error };
      });
      if (!next || next.done) break;
      pass(next.value);
      if (answers.length > BLOCKS_AHEAD) yield (await answers.shift()) as Answer;
    }
    for (const answer of answers) yield await answer;
  } finally {
    await rest.return();
  }
  if (failure) throw failure.error;
}
