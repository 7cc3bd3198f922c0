import { type BigIntStats, fstatSync } from 'node:fs';
import { RunStopped } from '../../model/index.ts';
import { stateOf } from './digest.ts';

/**
 * Detects that a file changes while it is read. All passes over a file in one command share it, so that the keys of the
 * first pass match the rows of the second.
 */
export interface Unchanged {
  /**
   * Called after each read, with the descriptor that was read. Throws RunStopped if the file has another size or other
   * content than before. If only its time is new, digests the content to find out.
   */
  check(descriptor: number): Promise<void>;
  /** Called with the digest of all bytes, known or read. Throws RunStopped unless it is always the same one. */
  expect(sha256: string): void;
}

/** `file` is the path of a regular file, `name` its name in messages, `opened` its state before the first read. */
export function watchFile(file: string, name: string, opened: BigIntStats): Unchanged {
  let time: bigint | undefined = opened.mtimeNs;
  let content: string | undefined;

  function changed(how: string): RunStopped {
    return new RunStopped(
      'source-changed',
      `${name} was changed while it was read: ${how}. Reading stopped there, since rows may be torn.`,
      ['Give the command again when nothing writes to the file any more.'],
    );
  }

  function expect(sha256: string): void {
    content ??= sha256;
    if (sha256 !== content) throw changed('it has other content now');
  }

  return {
    expect,
    async check(descriptor) {
      const now = fstatSync(descriptor, { bigint: true });
      if (now.size !== opened.size)
        throw changed(`it had ${opened.size} bytes when it was opened, and has ${now.size} now`);
      if (time === undefined || now.mtimeNs === time) return;
      // Some file systems change the time for no reason. From now on only the digest decides.
      time = undefined;
      expect((await stateOf(file)).sha256);
    },
  };
}
