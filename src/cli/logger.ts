import { appendFileSync } from 'node:fs';
import { ConfigError } from '../model/index.ts';

/** What the rest of the program needs of a log; pino has it. */
export interface Log {
  /** `fields`: called where they are written down. */
  debug(fields: () => object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const SILENT: Log = { debug() {}, info() {}, warn() {} };

export interface LogOptions {
  readonly level?: string | undefined;
  readonly file?: string | undefined;
  readonly mask: (text: string) => string;
  readonly onFailure: (message: string) => void;
}

/**
 * The structured log: one JSON line an event, through the mask. Without --log-level or --log-file there is none,
 * and pino is not even loaded: messages for people go through the terminal.
 */
export async function createLog({ level, file, mask, onFailure }: LogOptions): Promise<Log> {
  if (level === undefined && file === undefined) return SILENT;
  if (file !== undefined) {
    try {
      appendFileSync(file, '');
    } catch (error) {
      throw new ConfigError(`The log file ${file} cannot be written: ${(error as Error).message}.`);
    }
  }
  const { default: pino } = await import('pino');
  const destination =
    file === undefined ? pino.destination(2) : pino.destination({ dest: file, append: true, sync: true });
  let failed = false;
  const fail = (error: Error) => {
    // A log that cannot be written must not end the work that it is about; it is said once.
    if (!failed) onFailure(`The log cannot be written any more: ${error.message}.`);
    failed = true;
  };
  destination.on('error', fail);
  const write = (line: string) => {
    if (failed) return;
    try {
      destination.write(line);
    } catch (error) {
      fail(error as Error);
    }
  };
  const logger = pino(
    { level: level ?? 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(mask(line)) },
  );
  return {
    debug(fields, message) {
      if (logger.isLevelEnabled('debug')) logger.debug(fields(), message);
    },
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
  };
}
