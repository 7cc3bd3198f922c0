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

/** Throws RunStopped if the mapping is another one than when the run began. */
export function expectMapping({ mapping }: ImportInputs, digest: string): void {
  if (mapping.digest === digest) return;
  throw new RunStopped(
    'source-changed',
    `The mapping ${mapping.name} was changed while the run began, so nothing was read.`,
    ['Run the command again when no other program writes to the mapping.'],
  );
}
