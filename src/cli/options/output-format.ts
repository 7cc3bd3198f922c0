import { ConfigError } from '../../model/index.ts';

/** Throws ConfigError if data and summary would both go to standard output. */
export function refuseMixedOutput({
  json,
  out,
}: {
  readonly json: boolean;
  readonly out?: string | undefined;
}): void {
  if (json && out === undefined)
    throw new ConfigError(
      '--json prints a summary to standard output, where the data goes too: add --out FILE.',
    );
}
