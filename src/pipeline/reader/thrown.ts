import { ConfigError, RunStopped } from '../../model/index.ts';

/** An error as plain data. */
export interface Thrown {
  readonly kind: 'config' | 'stopped' | 'bug';
  readonly message: string;
  readonly reason?: string | undefined;
  readonly hints: readonly string[];
  readonly stack?: string | undefined;
}

export function thrownAs(error: unknown): Thrown {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof ConfigError)
    return { kind: 'config', message, reason: error.reason, hints: error.hints };
  if (error instanceof RunStopped)
    return { kind: 'stopped', message, reason: error.reason, hints: error.hints };
  return { kind: 'bug', message, hints: [], stack };
}

export function errorOf({ kind, message, reason, hints, stack }: Thrown): Error {
  if (kind === 'config') return new ConfigError(message, hints, reason as ConfigError['reason']);
  if (kind === 'stopped') return new RunStopped(reason as RunStopped['reason'], message, hints);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
