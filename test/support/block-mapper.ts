import type { MapBlock } from '../../src/pipeline/blocks/block-messages.ts';
import type { BlockMapper } from '../../src/pipeline/blocks/map-blocks.ts';

/** A mapping thread without a thread: what it is given and what it answers is copied. */
export function mapperOf<Batch>(mapper: BlockMapper<Batch>): MapBlock<Batch> {
  let before: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = before.then(work);
    before = done;
    return done.then((result) => structuredClone(result));
  }
  return async (request) => {
    const answer = await inTurn(() => mapper.map(structuredClone(request)));
    return {
      ...answer,
      again: (duplicates) => inTurn(() => mapper.again(structuredClone({ ...answer, duplicates }))),
    };
  };
}
