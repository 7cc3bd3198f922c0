import { openSync, writeSync } from 'node:fs';
import { ConfigError, visible } from '../../model/index.ts';
import { UNCHECKED } from '../../store/mask/mask.ts';

/** What the rest of the program needs of a log; pino has it. */
export interface Log {
  /** `info` is written. Where it is not, nobody has to put together what it would be given. */
  readonly hasInfo: boolean;
  /** Adds fields to all lines that follow, such as the store. */
  about(fields: object): void;
  /** `fields`: called where they are written down. */
  debug(fields: () => object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** The same as `info` for what may come a million times: it is in the file a second later, or at the end. */
  record(fields: object, message: string): void;
  /** Writes what was held back. */
  flush(): void;
}

export const SILENT: Log = {
  hasInfo: false,
  about() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  record() {},
  flush() {},
};

export interface LogOptions {
  readonly level?: string | undefined;
  readonly file?: string | undefined;
  readonly mask: (text: string) => string;
  readonly onFailure: (message: string) => void;
}

/** Records are written together, since a call into the system costs more than a line does. */
const HELD_CHARACTERS = 16 * 1024;
const HELD_MS = 1_000;

/**
 * The structured log: one JSON line an event, through the mask. Without --log-level or --log-file there is none,
 * and pino is not even loaded: messages for people go through the terminal.
 */
export async function createLog({ level, file, mask, onFailure }: LogOptions): Promise<Log> {
  if (level === undefined && file === undefined) return SILENT;
  const held = file === undefined ? undefined : openFile(file);
  const { default: pino } = await import('pino');
  const destination = held ?? pino.destination(2);
  let failed = false;
  const fail = (error: Error) => {
    // A log that cannot be written must not end the work that it is about; it is said once.
    if (!failed)
      onFailure(
        `The log${file === undefined ? '' : ` ${file}`} cannot be written any more: ${error.message}.`,
      );
    failed = true;
  };
  if ('on' in destination) destination.on('error', fail);
  const trying = (write: () => void) => {
    if (failed) return;
    try {
      write();
    } catch (error) {
      fail(error as Error);
    }
  };
  const flush = () => trying(() => held?.flush());
  let about: object = {};
  const logger = pino(
    {
      level: level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...about }),
    },
    { write: (line: string) => trying(() => destination.write(lineOf(mask(line)))) },
  );
  // Also what ends the process at once leaves nothing unwritten behind.
  process.on('exit', flush);
  setInterval(flush, HELD_MS).unref();
  const atOnce = (write: () => void) => {
    write();
    flush();
  };
  return {
    hasInfo: logger.isLevelEnabled('info'),
    about(fields) {
      about = { ...about, ...fields };
    },
    debug(fields, message) {
      if (logger.isLevelEnabled('debug')) atOnce(() => logger.debug(fields(), message));
    },
    info: (fields, message) => atOnce(() => logger.info(fields, message)),
    warn: (fields, message) => atOnce(() => logger.warn(fields, message)),
    error: (fields, message) => atOnce(() => logger.error(fields, message)),
    record: (fields, message) => logger.info(fields, message),
    flush,
  };
}

/** A line of the log. The mask may hide all of it, and the line must still be a JSON object. */
function lineOf(masked: string): string {
  return masked === UNCHECKED ? `${JSON.stringify({ level: 50, msg: UNCHECKED })}\n` : visible(masked);
}

/** A file that is appended to, several lines at a time. Throws ConfigError where it cannot be. */
function openFile(file: string): { write(line: string): void; flush(): void } {
  const descriptor = openForAppending(file);
  let held = '';
  return {
    write(line) {
      held += line;
      if (held.length >= HELD_CHARACTERS) this.flush();
    },
    flush() {
      const bytes = Buffer.from(held);
      held = '';
      // A disk that becomes full takes a part, and only the next call says so.
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    },
  };
}

function openForAppending(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    throw new ConfigError(`The log file ${file} cannot be written: ${(error as Error).message}.`, [
      'Name a file with --log-file in a folder that exists and that you may write to.',
    ]);
  }
}
