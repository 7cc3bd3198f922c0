import { ConfigError, type Row } from '../../src/model/index.ts';
import { type CheckedSample, checkSample } from '../../src/pipeline/suggest/check-sample.ts';
import type { FileSample } from '../../src/pipeline/suggest/sample.ts';
import { presetFor, suggestFor } from '../../src/pipeline/suggest/suggest.ts';
import type { Resource } from '../../src/resources/index.ts';
import type { Dictionary } from '../../src/suggest/index.ts';
import type { Count } from './counts.ts';
import { type FileTruth, scoreFields } from './fields.ts';
import { scoreRecords } from './records.ts';

/** A public file with what is known of it. */
export interface PublicFile {
  readonly file: string;
  readonly platform: string;
  readonly truth: FileTruth;
  readonly resource: Resource;
  readonly sample: FileSample;
}

/** The sample with its rows numbered from the first: those of a large file are from several places, and their numbers repeat. */
export function numbered(sample: FileSample): FileSample {
  const rows = sample.rows.map((row, index) => ({ ...row, row: index + FIRST_ROW }));
  return {
    ...sample,
    rows,
    besideGaps: new Set(rows.filter((_, n) => sample.besideGaps.has(sample.rows[n] as Row))),
  };
}

/** The row below the header. */
const FIRST_ROW = 2;

/** Suggests a mapping for a file with these words alone, and adds its score. Returns sentences about what is not right. */
export async function scoreFile(each: PublicFile, dictionary: Dictionary, count: Count): Promise<string[]> {
  const { file, truth, resource, sample } = each;
  const suggested = await suggestFor(sample, { file, resources: [resource], dictionary }).catch(refusal);
  const fields = scoreFields(suggested?.draft.fields ?? [], truth);
  count.fields += fields.fields;
  count.found += fields.found;
  count.suggested += fields.suggested;
  count.right += fields.right;
  count.tried += suggested?.records ?? 0;
  count.valid += suggested?.valid ?? 0;
  const made =
    suggested && (await recordsOf(each, { mapping: 'suggested.yaml', mappingText: suggested.text }));
  // Without a required field, the mapping cannot be bound.
  const isRefused = suggested !== undefined && suggested.missing.length === 0 && made === undefined;
  if (isRefused) count.refused++;
  const preset = presetFor(resource, sample);
  const right = preset === undefined ? undefined : await recordsOf(each, { mapping: preset });
  const refusals = isRefused ? ['the mapping is refused'] : [];
  if (!right) return [...refusals, ...fields.faults];
  const { records, equal, differences } = scoreRecords(right, made, truth);
  count.records += records;
  count.equal += equal;
  const parts = [...differences].map(([field, differing]) => `${differing} differ in ${field}`);
  const unequal = `${equal} of ${records} records equal those of ${preset}; ${parts.join(', ')}`;
  return [...refusals, ...fields.faults, ...(parts.length === 0 ? [] : [unequal])];
}

/** The records of a file by a mapping; undefined if it cannot be bound. */
function recordsOf(
  { sample, resource }: PublicFile,
  mapping: { readonly mapping: string; readonly mappingText?: string },
): Promise<CheckedSample | undefined> {
  const options = { files: [sample.table.file], read: {}, resource, mode: 'create', constants: {} } as const;
  return checkSample(sample, { ...options, ...mapping }).catch(refusal);
}

function refusal(error: unknown): undefined {
  if (!(error instanceof ConfigError)) throw error;
  return undefined;
}
