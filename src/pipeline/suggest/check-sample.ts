import { tmpdir } from 'node:os';
import type { FileBinding, Mapping } from '../../map/index.ts';
import type { Row } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { SourceOptions } from '../inputs/inputs.ts';
import { inputsOfRows } from '../inputs/open-inputs.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import type { FileSample } from './sample.ts';

/** A mapping that was tried on the rows of a sample. */
export interface CheckedSample {
  readonly mapping: Mapping;
  readonly binding: FileBinding;
  /** Without records that may lack rows, since the sample does not have them. */
  readonly records: readonly CheckedRecord[];
}

/** Groups, maps and validates the rows of a sample, as a check of the whole file does. Throws ConfigError as that does. */
export async function checkSample(sample: FileSample, options: SourceOptions): Promise<CheckedSample> {
  const inputs = await inputsOfRows(sample, options);
  const records: CheckedRecord[] = [];
  const { resource, mode } = options;
  const steps = prepareRecords(inputs, {
    ...{ resource, mode, dryRun: true, maskContacts: false, fromSettings: {}, offset: 0 },
    spillFolder: tmpdir(),
    onPrepared() {},
    onChecked: (checked) => void records.push(...checked),
  });
  for await (const _ of steps);
  const isCut = ({ record }: CheckedRecord) => record.rows.some((row) => sample.besideGaps.has(row as Row));
  const isGrouped = inputs.mapping.groupBy !== undefined || inputs.mapping.links !== undefined;
  return {
    mapping: inputs.mapping,
    binding: inputs.files[0]?.binding as FileBinding,
    records: isGrouped ? records.filter((record) => !isCut(record)) : records,
  };
}
