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
   * content than before. If only its time is new, or another file has its name, digests the content to find out.
   */
  check(descriptor: number): Promise<void>;
  /** Called with the digest of all bytes, known or read. Throws RunStopped unless it is always the same one. */
  expect(sha256: string): void;
}

/** `file` is the path of a regular file, `name` its name in messages, `opened` its state before the first read. */
export function watchFile(file: string, name: string, opened: BigIntStats): Unchanged {
  let seen: BigIntStats | undefined = opened;
  let content: string | undefined;

  function changed(how: string): RunStopped {
    return new RunStopped(
      'source-changed',
      `${name} was changed while it was read: ${how}. Reading stopped there, since rows may be torn.`,
      ['Run the command again when no other program writes to the file.'],
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
      if (seen === undefined || isSameFile(now, seen)) return;
      // Some file systems change the time for no reason. From now on only the digest decides.
      seen = undefined;
      expect((await stateOf(file)).sha256);
    },
  };
}

/** A file that replaced another within one tick of the clock has the same time, but another number. */
function isSameFile(now: BigIntStats, before: BigIntStats): boolean {
  return now.mtimeNs === before.mtimeNs && now.ino === before.ino && now.dev === before.dev;
}
