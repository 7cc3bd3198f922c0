import { ConfigError, MistypedError } from '../model/index.ts';

/** Adds the nearest name to the message of a mistyped word, if one is near. Returns other errors as they are. */
export async function withNearestName(error: unknown): Promise<unknown> {
  if (!(error instanceof MistypedError)) return error;
  // Loaded only for an error: every command runs this file.
  const { didYouMean } = await import('../map/did-you-mean.ts');
  return new ConfigError(error.message + didYouMean(error.word, error.names()), error.hints, error.reason);
}
