import type { PlannedRecord } from '../../model/index.ts';
import { type CheckedRecord, createPlanner, type Planner } from '../../plan/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { fileNames } from '../inputs/source-files.ts';
import { createRecordSteps, type RecordSteps } from './map-and-validate.ts';
import { createNotices } from './notices.ts';
import type { PrepareOptions } from './options.ts';
import { createOwnSteps } from './own-rules.ts';
import { groupingOf, type RecordBatch, readAndGroup } from './read-and-group.ts';
import { createRecordSelection } from './select-records.ts';

/** Steps that a caller shares between several calls. */
export interface PreparingParts {
  readonly plan: (checked: CheckedRecord) => PlannedRecord;
  readonly steps: RecordSteps;
}

/**
 * The flow up to sending: read → group → map → validate → plan, batch by batch. Yields empty batches too, so that the
 * consumer can stop between batches.
 */
export async function* prepareRecords(
  inputs: ImportInputs,
  options: PrepareOptions,
  { plan, steps }: Partial<PreparingParts> = {},
): AsyncGenerator<PlannedRecord[]> {
  const planOne = plan ?? (options.resume?.planner ?? plannerFor(inputs, options)).plan;
  const selection = createRecordSelection(inputs, options);
  const notices = createNotices(inputs, options);
  const own = options.ownRules && createOwnSteps(options.ownRules, notices);
  const { fetchLookups, map, replace, lookUp, validate } =
    steps ?? createRecordSteps(inputs, options, own?.listeners ?? notices);

  // A function, so that a batch is garbage as soon as it is planned.
  const prepare = async (batch: RecordBatch): Promise<PlannedRecord[]> => {
    const { binding } = batch;
    const records = selection.select(batch);
    notices.noteRows(batch, records);
    options.onPrepared(records.length);
    await fetchLookups(records, binding);
    const made = map(records, binding);
    const mapped = own ? await own.transform(made, replace) : made;
    const history = await lookUp(mapped, binding);
    const validated = validate(mapped, binding, history);
    const agreed = notices.addDisagreements(validated, binding);
    const checked = own ? await own.check(agreed, mapped, binding) : agreed;
    options.onChecked?.(checked, binding);
    const planned = checked.map(planOne);
    await notices.notePlans(checked, planned);
    return planned;
  };

  for await (const batch of readAndGroup(inputs, options, options.resume?.from)) {
    yield await prepare(batch);
    if (selection.isComplete()) break;
  }
  notices.warn(selection.isComplete());
}

/** The planner for the records of all files. */
export function plannerFor(
  inputs: ImportInputs,
  {
    resource,
    mode,
    dryRun,
    history,
    newer,
    commands,
  }: Pick<PrepareOptions, 'resource' | 'mode' | 'dryRun' | 'history' | 'newer' | 'commands'>,
): Planner {
  return createPlanner({
    ...{ resource, mode, dryRun, newer, commands },
    grouping: groupingOf(inputs.mapping, resource),
    files: fileNames(inputs),
    knownIds: history?.ids,
  });
}
