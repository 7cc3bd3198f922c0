import { ConfigError } from '../../model/index.ts';
import type { TableFormat } from '../../write/index.ts';

/** Derives the format from the file name: CSV for unknown names and for standard output. */
export function formatOf(out: string | undefined): TableFormat {
  if (out === undefined) return 'csv';
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(out)) return 'ndjson';
  return /\.json(\.gz)?$/i.test(out) ? 'json' : 'csv';
}

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
