import type { Issue, Row } from '../../src/model/index.ts';
import { readSource } from '../../src/read/open-source.ts';
import { type Limits, type ReadOptions, settingsOf } from '../../src/read/options.ts';
import type { Source } from '../../src/read/source.ts';

/** Header, rows and warnings of one file. */
export interface Result {
  readonly source: Source;
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  readonly cells: readonly (readonly string[])[];
  readonly warnings: readonly Issue[];
}

/** Reads text or bytes as if they were the file `shop.csv`, or another, in chunks of `chunkBytes`. */
export async function readText(
  text: string | Buffer,
  { maxRowBytes, ...options }: ReadOptions & Partial<Pick<Limits, 'maxRowBytes'>> = {},
  chunkBytes = Number.POSITIVE_INFINITY,
  file = 'shop.csv',
): Promise<Result> {
  const warnings: Issue[] = [];
  const settings = settingsOf({ onWarning: (warning) => warnings.push(warning), ...options });
  const source = await readSource(file, chunked(Buffer.from(text), chunkBytes), {
    ...settings,
    limits: { ...settings.limits, ...(maxRowBytes === undefined ? {} : { maxRowBytes }) },
    from: options.from,
  });
  // Called before reading, as in a run, which prints the format first.
  source.reading();
  const rows: Row[] = [];
  for await (const batch of source.batches) rows.push(...batch);
  return { source, header: source.table.header, rows, cells: rows.map((row) => row.cells), warnings };
}

export async function* chunked(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  const step = Math.min(chunkBytes, bytes.length);
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

/** `[[row, line, code], …]` of every issue. */
export function issuesOf(rows: readonly Row[]): [number, number, string][] {
  return rows.flatMap((row) =>
    (row.issues ?? []).map((issue): [number, number, string] => [row.row, row.line, issue.code]),
  );
}

/** `[[row, line], …]` */
export function placesOf(rows: readonly Row[]): [number, number][] {
  return rows.map((row) => [row.row, row.line]);
}
