import { EventEmitter } from 'node:events';
import { writeSync } from 'node:fs';
import { openSync } from '../../model/files/fs.ts';
import { ConfigError, visible } from '../../model/index.ts';
import { UNCHECKED } from '../../store/mask/mask.ts';
import type { CommandFacts } from '../command-facts.ts';
import type { Ending, Output } from '../io.ts';
import { readableLine } from './readable-line.ts';

/** The part of pino that the program uses. */
export interface Log {
  /** True if `info` is written. Otherwise callers can skip building its fields. */
  readonly hasInfo: boolean;
  /** Facts of the command that the log is of, for its summary and its notification; undefined for a part of a command. */
  readonly facts?: CommandFacts | undefined;
  /** Adds fields to all further lines, such as the store. */
  about(fields: LogFields): void;
  /** `fields`: called only if the line is written. */
  debug(fields: () => object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** `info` for lines that may be written a million times: buffered for up to a second. */
  record(fields: object, message: string): void;
  /** Writes the buffered lines. */
  flush(): void;
}

/** Fields that all lines of a command have, once they are known. */
export interface LogFields {
  readonly command?: string;
  readonly store?: string;
  readonly profile?: string;
  readonly run?: string;
  readonly worker?: string;
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
  /** Takes the lines without a file. On a terminal they are for people. */
  readonly stderr: Output;
  readonly onExit: Ending['onExit'];
}

/** Limits of the buffer for records. A system call costs more than formatting a line. */
const BUFFERED_CHARACTERS = 16 * 1024;
const BUFFERED_MS = 1_000;

/**
 * Creates the structured log: one JSON line for each event, masked. Without --log-level or --log-file there is no log,
 * and pino is not loaded. Messages for people go through the terminal.
 */
export async function createLog({ level, file, mask, onFailure, stderr, onExit }: LogOptions): Promise<Log> {
  if (level === undefined && file === undefined) return SILENT;
  const logFile = file === undefined ? undefined : openFile(file);
  const { default: pino } = await import('pino');
  const destination = logFile ?? (stderr.fd === undefined ? stderr : pino.destination(stderr.fd));
  const form = logFile === undefined && stderr.isTTY === true ? readableLine : (line: string) => line;
  let failed = false;
  const fail = (error: Error) => {
    // A failing log must not stop the command. The failure is reported once.
    if (!failed)
      onFailure(
        `The log${file === undefined ? '' : ` ${file}`} cannot be written any more: ${error.message}.`,
      );
    failed = true;
  };
  if (destination instanceof EventEmitter) destination.on('error', fail);
  const trying = (write: () => void) => {
    if (failed) return;
    try {
      write();
    } catch (error) {
      fail(error as Error);
    }
  };
  const flush = () => trying(() => logFile?.flush());
  let commonFields: object = {};
  const logger = pino(
    {
      level: level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => ({ ...commonFields }),
    },
    { write: (line: string) => trying(() => destination.write(form(lineOf(mask(line))))) },
  );
  const timer = setInterval(flush, BUFFERED_MS).unref();
  onExit(() => {
    clearInterval(timer);
    flush();
  });
  const atOnce = (write: () => void) => {
    write();
    flush();
  };
  return {
    hasInfo: logger.isLevelEnabled('info'),
    about(fields) {
      commonFields = { ...commonFields, ...fields };
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

/** Returns a log line. It must be a JSON object even if the mask hid the whole text. */
function lineOf(masked: string): string {
  return masked === UNCHECKED ? `${JSON.stringify({ level: 50, msg: UNCHECKED })}\n` : visible(masked);
}

/** Opens a file to append several lines at a time. Throws ConfigError if it cannot be opened. */
function openFile(file: string): { write(line: string): void; flush(): void } {
  const descriptor = openForAppending(file);
  let buffered = '';
  return {
    write(line) {
      buffered += line;
      if (buffered.length >= BUFFERED_CHARACTERS) this.flush();
    },
    flush() {
      const bytes = Buffer.from(buffered);
      buffered = '';
      // A full disk accepts a part of the text, and only the next call reports the error.
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
