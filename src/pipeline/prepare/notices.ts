import type { FileBinding } from '../../map/index.ts';
import type { PlannedRecord, SourceRecord } from '../../model/index.ts';
import { type CheckedRecord, keyFor } from '../../plan/index.ts';
import { payloadsNoter, suspectsNoter } from '../inputs/damage-report.ts';
import { noRecordsWarning } from '../inputs/empty-rows.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { warningsNoter } from '../inputs/mapping-warnings.ts';
import { createLeftOutImages, createMissingGroupKeys } from '../inputs/warnings.ts';
import { looksNoter } from '../look/look.ts';
import { createDisagreements } from './disagreements.ts';
import type { StepListeners } from './map-and-validate.ts';
import type { PrepareOptions } from './options.ts';
import type { RecordBatch } from './read-and-group.ts';
import { createRecordWarnings } from './record-warnings.ts';

/** Notices what is valid but probably unintended, at each step. Keeps it with the file, and warns at the end. */
export interface RecordNotices extends StepListeners {
  /** Inspects the rows of the selected records for damage. */
  noteRows(batch: RecordBatch, selected: readonly SourceRecord[]): void;
  /**
   * Adds issues to records whose rows contradict each other. Notes values that differ without harm, and what the valid records
   * are like.
   */
  addDisagreements(validated: readonly CheckedRecord[], binding: FileBinding): readonly CheckedRecord[];
  /** `planned[i]` is the plan of `checked[i]`. */
  notePlans(checked: readonly CheckedRecord[], planned: readonly PlannedRecord[]): Promise<void>;
  /** Gives the warnings about whole files. `isPart`: the files were not read to their ends, since `--limit` was reached. */
  warn(isPart: boolean): void;
}

export function createNotices(inputs: ImportInputs, options: PrepareOptions): RecordNotices {
  const { files, mapping } = inputs;
  const { resource, resume, onWarning } = options;
  const noteWarnings = warningsNoter(files);
  const noteSuspects = suspectsNoter(files);
  const notePayloads = payloadsNoter(files, { ...mapping, resource });
  const noteLooks = looksNoter(files);
  const leftOutImages = createLeftOutImages();
  const missingGroupKeys = createMissingGroupKeys(inputs);
  const recordWarnings = createRecordWarnings({
    ...options,
    history: options.dryRun ? options.compareWith : options.history,
    noteWarnings,
  });
  const disagreements = createDisagreements({
    resource,
    groupBy: mapping.groupBy,
    earlierMessages: files.flatMap(({ mappingWarnings }) =>
      mappingWarnings.all().map(({ message }) => message),
    ),
    onWarning: (each, message) => noteWarnings(each.record, keyFor(resource, each), [message]),
  });

  return {
    noteWarnings,
    onLeftOut: leftOutImages.note,
    noteRows({ records, file }, selected) {
      missingGroupKeys.note(records, file);
      noteSuspects(selected);
    },
    addDisagreements(validated, binding) {
      const sent = validated.filter(({ isLeftOut }) => !isLeftOut);
      notePayloads(sent, binding);
      const checked = validated.map((each) => (each.isLeftOut ? each : disagreements.note(each, binding)));
      noteLooks(checked.filter(({ isLeftOut }) => !isLeftOut));
      return checked;
    },
    async notePlans(checked, planned) {
      await recordWarnings.note(checked, planned);
      for (const { record, key } of planned) if (record.warnings) noteWarnings(record, key, record.warnings);
    },
    warn(isPart) {
      const warnings = [
        // A run over a part of the files cannot know whether a file is empty.
        ...(resume || isPart
          ? []
          : files.map(({ source, emptyRows }) => noRecordsWarning(source, emptyRows))),
        ...missingGroupKeys.warnings(),
        ...leftOutImages.warnings(),
      ];
      for (const warning of warnings) if (warning !== undefined) onWarning?.(warning);
    },
  };
}
