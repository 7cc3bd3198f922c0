import type { SourceFile } from '../../ledger/index.ts';
import { RunStopped } from '../../model/index.ts';
import type { ImportInputs } from './inputs.ts';

/** Makes reading stop if a file no longer has the content that was digested when the run began. */
export function expectSameContent({ files }: ImportInputs, before: readonly SourceFile[]): void {
  for (const [index, { source }] of files.entries()) {
    const { sha256 } = before[index] ?? {};
    if (sha256 !== undefined) source.expect?.(sha256);
  }
}

/** The mapping and the columns of opened files. */
export interface FoundMapping {
  readonly mappingDigest: string;
  readonly header: readonly string[];
}

export function foundMapping({ mapping, header }: ImportInputs): FoundMapping {
  return { mappingDigest: mapping.digest, header };
}

/** Throws RunStopped if files that are opened again have other columns, or another mapping. */
export function expectMapping(inputs: ImportInputs, before: FoundMapping): void {
  const now = foundMapping(inputs);
  const isSame =
    now.header.length === before.header.length && now.header.every((name, at) => name === before.header[at]);
  if (isSame && now.mappingDigest === before.mappingDigest) return;
  throw new RunStopped(
    'source-changed',
    `The files or the mapping ${inputs.mapping.name} were changed while the run began, so nothing was read.`,
    ['Run the command again when no other program writes to them.'],
  );
}
