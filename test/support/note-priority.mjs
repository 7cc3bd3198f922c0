// Loaded before the real binary, into each thread: notes the name and the priority of the main thread when it ends, and of another
// with its first message. Only Linux has one for each thread; elsewhere it is that of the process.
import { appendFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';

const note = (thread) => appendFileSync(process.env.PRIORITIES, `${thread} ${getPriority()}\n`);

if (parentPort === null) process.on('exit', () => note('main'));
else {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (...message) => {
    parentPort.postMessage = post;
    note(basename(process.argv[1], '-worker.cjs'));
    post(...message);
  };
}
