import { parseMapping, type SourceRules } from '../../map/index.ts';
import { statSync } from '../../model/files/fs.ts';
import { ConfigError, type Issue } from '../../model/index.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import { type FileSample, readingBy, sampledFileOf, takeSample } from '../../pipeline/suggest/index.ts';
import { type ColumnFacts, columnFacts } from './columns-view.ts';
import { textOf, type WorkState } from './work-state.ts';

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
      const rules = rulesIn(state);
      const key = JSON.stringify([path, choice, rules, facts.size, facts.mtimeMs]);
      const known = kept.get(key);
      kept.delete(key);
      const sample = known ?? read(state, { rules, sizeBytes: facts.size });
      kept.set(key, sample);
      for (const old of [...kept.keys()].slice(0, -MOST_SAMPLES)) kept.delete(old);
      // A failure is not kept: the next look may find a file that can be read.
      sample.catch(() => kept.delete(key));
      return sample;
    },
  };
}

/** How the mapping in force says that the file is read. */
function rulesIn(state: WorkState): SourceRules | undefined {
  const text = textOf(state);
  if (text === undefined || !/^["']?source\b/m.test(text)) return undefined;
  try {
    return parseMapping(state.origin?.name ?? '', text).source;
  } catch (error) {
    // The mapping is wrong, and whoever shows it says how.
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

interface ReadOptions {
  readonly rules: SourceRules | undefined;
  readonly sizeBytes: number;
}

async function read({ path, choice }: WorkState, { rules, sizeBytes }: ReadOptions): Promise<WorkSample> {
  const wanted = await readingBy(path, choice, rules);
  // A suggestion says how many titles it has seen. They are found again, so that the page can quote them.
  const found = await withWarnings(path, { ...wanted, skipLines: choice.skipLines });
  const isAlike = (found.sample.reading.skippedLines ?? 0) === (wanted.skipLines ?? 0);
  const isDetected = wanted.skipLines === choice.skipLines;
  const { sample, warnings } = isAlike || isDetected ? found : await withWarnings(path, wanted);
  let facts: readonly ColumnFacts[] | undefined;
  return {
    ...{ sample, sizeBytes, warnings },
    facts() {
      facts ??= columnFacts(sampledFileOf(sample));
      return facts;
    },
  };
}

async function withWarnings(path: string, reading: FormatOptions) {
  const warnings: string[] = [];
  const onWarning = ({ message }: Issue) => void warnings.push(message);
  return { sample: await takeSample(path, reading, { onWarning }), warnings };
}
