import type { PlannedRecord } from '../../model/index.ts';
import { createPlanner, type Planner } from '../../plan/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { fileNames } from '../inputs/source-files.ts';
import { createRecordSteps } from './map-and-validate.ts';
import { createNotices } from './notices.ts';
import type { PrepareOptions } from './options.ts';
import { groupingOf, type RecordBatch, readAndGroup } from './read-and-group.ts';
import { createRecordSelection } from './select-records.ts';

/**
 * The flow up to sending: read → group → map → validate → plan, batch by batch. Yields empty batches too, so that the
 * consumer can stop between batches.
 */
export async function* prepareRecords(
  inputs: ImportInputs,
  options: PrepareOptions,
): AsyncGenerator<PlannedRecord[]> {
  const planner = options.resume?.planner ?? plannerFor(inputs, options);
  const selection = createRecordSelection(inputs, options);
  const notices = createNotices(inputs, options);
  const { map, validate } = createRecordSteps(inputs, options, notices);

  // A function, so that a batch is garbage as soon as it is planned.
  const prepare = (batch: RecordBatch): PlannedRecord[] => {
    const records = selection.select(batch);
    notices.noteRows(batch, records);
    options.onPrepared(records.length);
    const mapped = map(records, batch.binding);
    const validated = validate(mapped, batch.binding);
    const checked = notices.addDisagreements(validated, batch.binding);
    options.onChecked?.(checked, batch.binding);
    const planned = checked.map(planner.plan);
    notices.notePlans(checked, planned);
    return planned;
  };

  for await (const batch of readAndGroup(inputs, options, options.resume?.from)) {
    yield prepare(batch);
    if (selection.isComplete()) break;
  }
  notices.warn(selection.isComplete());
}

/** The planner for the records of all files. */
export function plannerFor(
  inputs: ImportInputs,
  { resource, mode, dryRun, history }: Pick<PrepareOptions, 'resource' | 'mode' | 'dryRun' | 'history'>,
): Planner {
  return createPlanner({
    ...{ resource, mode, dryRun },
    grouping: groupingOf(inputs.mapping, resource),
    files: fileNames(inputs),
    knownIds: history?.ids,
  });
}
