import type { ImportInputs } from '../inputs/inputs.ts';
import { close } from '../inputs/open-inputs.ts';
import type { ReaderOptions } from '../reader/reader-options.ts';
import { createMappingThreads, type MappingThreads, mappingThreads } from './mapping-thread.ts';
import { readAgain } from './read-again.ts';

/** A file that this thread reads, and threads that map its blocks. */
export interface OpenBlocks<Batch> extends MappingThreads<Batch> {
  /** The file. Its rows are not read yet. */
  readonly inputs: ImportInputs;
}

/** Bytes of a block. Smaller ones cost more messages, larger ones more memory. */
export const BLOCK_BYTES = 128 * 1024;

/**
 * The number of threads that may share a file; 0 if one must read it. Each row must be a record by itself, so that
 * nothing but keys depends on the rows above.
 */
export function threadsFor(
  { files, mapping }: ImportInputs,
  { offset, limit }: { readonly offset: number; readonly limit?: number | undefined },
): number {
  const [input, ...others] = files;
  if (!input || others.length > 0 || mapping.lookups.length > 0 || offset > 0 || limit !== undefined)
    return 0;
  const { source, binding } = input;
  const { table, blocks, reread } = source;
  const { groupKeyOf, isUnordered, carried, continuesAbove, earlierRowOf } = binding;
  const depends = groupKeyOf ?? carried ?? continuesAbove ?? earlierRowOf;
  const isApart = depends === undefined && !isUnordered && table.items === undefined;
  return isApart && blocks && reread ? mappingThreads() : 0;
}

/** `opened` is not read further. */
export function openBlocks<Batch>(
  opened: ImportInputs,
  options: ReaderOptions,
  count: number,
): OpenBlocks<Batch> {
  const inputs = readAgain(opened);
  const threads = createMappingThreads<Batch>(options, count);
  return {
    inputs,
    mappers: threads.mappers,
    async close() {
      await threads.close();
      await close(inputs);
    },
  };
}
