import { statSync } from '../../model/files/fs.ts';
import { ConfigError, type Issue } from '../../model/index.ts';
import { type FileSample, sampledFileOf, takeSample } from '../../pipeline/suggest/index.ts';
import { type ColumnFacts, columnFacts } from './columns-view.ts';
import type { WorkState } from './work-state.ts';

export interface WorkSample {
  readonly sample: FileSample;
  readonly sizeBytes: number;
  /** Warnings about the file as a whole. */
  readonly warnings: readonly string[];
  /** Facts about its columns. They take a while for wide files, so they are found out once. */
  readonly facts: () => readonly ColumnFacts[];
}

/** Reads samples of works, and keeps the last ones in memory while their files do not change. */
export interface Samples {
  /** Throws ConfigError if the file cannot be read. */
  of(state: WorkState): Promise<WorkSample>;
}

const MOST_SAMPLES = 4;

export function createSamples(): Samples {
  const kept = new Map<string, Promise<WorkSample>>();
  return {
    async of(state) {
      const { path, choice } = state;
      const facts = statSync(path, { throwIfNoEntry: false });
      if (!facts) throw new ConfigError(`There is no file ${path} any more.`, ['Open it again.']);
      const key = JSON.stringify([path, choice, facts.size, facts.mtimeMs]);
      const known = kept.get(key);
      kept.delete(key);
      const sample = known ?? read(state, facts.size);
      kept.set(key, sample);
      for (const old of [...kept.keys()].slice(0, -MOST_SAMPLES)) kept.delete(old);
      // A failure is not kept: the next look may find a file that can be read.
      sample.catch(() => kept.delete(key));
      return sample;
    },
  };
}

async function read({ path, choice }: WorkState, sizeBytes: number): Promise<WorkSample> {
  const warnings: string[] = [];
  const onWarning = ({ message }: Issue) => void warnings.push(message);
  const sample = await takeSample(path, choice, { onWarning });
  let facts: readonly ColumnFacts[] | undefined;
  return {
    ...{ sample, sizeBytes, warnings },
    facts() {
      facts ??= columnFacts(sampledFileOf(sample));
      return facts;
    },
  };
}
