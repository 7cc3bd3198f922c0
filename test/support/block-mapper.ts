import type { MapBlock } from '../../src/pipeline/blocks/block-messages.ts';
import type { BlockMapper } from '../../src/pipeline/blocks/map-blocks.ts';

/** A mapping thread without a thread: what it is given and what it answers is copied, and the bytes of blocks are moved. */
export function mapperOf<Batch>(mapper: BlockMapper<Batch>): MapBlock<Batch> {
  let before: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(
    work: () => Promise<Result>,
    moved: (result: Result) => ArrayBuffer[] = () => [],
  ): Promise<Result> {
    const done = before.then(work).then((result) => structuredClone(result, { transfer: moved(result) }));
    before = done;
    return done;
  }
  return async (request) => {
    const given = structuredClone(request, { transfer: [request.bytes.buffer] });
    const answer = await inTurn(
      () => mapper.map(given),
      ({ bytes }) => [bytes.buffer],
    );
    return {
      ...answer,
      again: (duplicates) => inTurn(() => mapper.again(structuredClone({ ...answer, duplicates }))),
    };
  };
}
