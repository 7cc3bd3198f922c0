import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating rows among the old objects, in all threads: to be called before a thread that reads is started.
 * Returns a function that ends that, also for another such thread of the process, which then needs more memory.
 *
 * By itself V8 learns which code makes objects that live long, and puts what it makes among the old ones, which are collected
 * rarely ("pretenuring"). It learns that of rows and cells too, since one batch fills a small young generation. An import would
 * need 40 MB more, and an eighth more CPU time.
 *
 * Compiled code counts only for the same flags, that of Node's own modules too: for the whole process the start would take a
 * twentieth longer, and the code that is kept at its end would not count for the next one.
 */
export function stopPretenuring(): () => void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  return () => setFlagsFromString('--allocation-site-pretenuring');
}
