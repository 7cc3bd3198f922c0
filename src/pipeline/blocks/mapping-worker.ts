import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openCheckedImages } from '../../images/index.ts';
import { setThreadFolder } from '../../model/files/fs.ts';
import { setThreadLine } from '../../model/index.ts';
import { collectInThread } from '../../model/memory-pressure.ts';
import { resourceOf } from '../../resources/index.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import { expectMapping } from '../inputs/same-content.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import type { ReaderOptions } from '../reader/reader-options.ts';
import { thrownAs } from '../reader/thrown.ts';
import { checkBlock } from './block-job.ts';
import type { MappingMessage, MappingRequest } from './block-messages.ts';
import { cleanBlock } from './clean-block.ts';
import { createBlockMapper } from './map-blocks.ts';

// A thread of mapping-thread.ts: maps the blocks that it is given, in order, until the main thread ends it.

const port = parentPort as MessagePort;
const options = workerData as ReaderOptions;
setThreadFolder(options.folder);
setThreadLine(options.line);
collectInThread();

function post(message: MappingMessage<unknown>, moved: ArrayBuffer[] = []): void {
  port.postMessage(message, moved);
}

/** Binds the mapping to the file again. The main thread has given the warnings, and reads the rows. */
async function openMapper() {
  const resource = resourceOf(options.resource);
  const opened = await openInputs({ ...options, resource, onWarning: () => {} });
  await close(opened);
  const images = options.images && openCheckedImages(resource.images ?? [], options.images);
  const inputs = { ...opened, images };
  expectMapping(inputs, options);
  const prepareWith = {
    ...prepareOptions({
      options: { ...options, resource, watch: { warned: () => {} } },
      counts: { onPrepared: () => {}, onDrained: () => {} },
      storeId: options.storeId,
      dryRun: true,
    }),
    // The main thread warns, of all blocks together.
    onWarning: undefined,
  };
  const job = options.clean ? cleanBlock(inputs, resource, options.clean) : checkBlock;
  return createBlockMapper<unknown>(inputs, prepareWith, job, options.clean !== undefined);
}

const opening = openMapper();
opening.catch(() => {});

async function answer(request: MappingRequest): Promise<void> {
  try {
    const mapper = await opening;
    if ('duplicates' in request) return post({ batch: await mapper.again(request) });
    const answer = await mapper.map(request);
    post({ answer }, [answer.bytes.buffer]);
  } catch (error) {
    post({ failed: thrownAs(error) });
  }
}

let before: Promise<void> = Promise.resolve();
port.on('message', (request: MappingRequest) => {
  before = before.then(() => answer(request));
});
