import { closeSync, constants, fsyncSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { existsSync, openSync, readFileSync } from '../../model/files/fs.ts';
import { damagedLedger, PRIVATE_FILE } from '../../model/index.ts';

/**
 * `<run>.tip`: the state of the log beside it, and the minimum number of entries that it must have in which epoch. A log
 * that was cut, or replaced by an older copy, looks whole by itself: only another file shows the loss.
 */
export interface Tip {
  readonly state: 'being made' | 'in use' | 'being removed';
  readonly epoch: number;
  readonly entries: number;
}

const STATES = ['being made', 'in use', 'being removed'] as const;
const TIP_BYTES = 16;

/** The name of the tip beside a log. */
export function tipOf(logFile: string): string {
  return `${logFile.slice(0, -'.log'.length)}.tip`;
}

/**
 * Opens a tip, which is made if needed, for writing in place: a kill leaves either the old state or the new one. Only the
 * first and the last write are synced: after a power cut the tip may be behind its log, never ahead of it.
 */
export function openTip(file: string): { write(tip: Tip): void; sync(): void; close(): void } {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
  const bytes = Buffer.alloc(TIP_BYTES);
  const toCheck = bytes.subarray(0, TIP_BYTES - 4);
  return {
    // Allocates nothing: every group of requests waits for this write.
    write({ state, epoch, entries }) {
      bytes.writeUInt32LE(epoch, 0);
      bytes.writeUInt32LE(entries, 4);
      bytes.writeUInt32LE(STATES.indexOf(state), 8);
      bytes.writeUInt32LE(crc32(toCheck), 12);
      writeSync(descriptor, bytes, 0, TIP_BYTES, 0);
    },
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

/** Throws ConfigError if the tip is missing or damaged. Without a log (`hasLog`), it may be empty: it was just made. */
export function readTip(file: string, hasLog: boolean): Tip {
  if (!existsSync(file)) throw damagedLedger(file, 'is missing');
  const bytes = readFileSync(file);
  if (bytes.length === 0 && !hasLog) return { state: 'being made', epoch: 0, entries: 0 };
  const state = bytes.length < TIP_BYTES ? undefined : STATES[bytes.readUInt32LE(8)];
  if (state === undefined || bytes.readUInt32LE(12) !== crc32(bytes.subarray(0, 12)))
    throw damagedLedger(file, 'cannot be read');
  return { state, epoch: bytes.readUInt32LE(0), entries: bytes.readUInt32LE(4) };
}

/** Marks the log as being removed: from here on it may be missing. */
export function giveUpTip(file: string): void {
  if (!existsSync(file)) return;
  const tip = openTip(file);
  tip.write({ state: 'being removed', epoch: 0, entries: 0 });
  // A power cut could otherwise keep the old tip and lose the log.
  tip.sync();
  tip.close();
}
