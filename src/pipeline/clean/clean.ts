import { ConfigError, RunStopped, startStopwatch } from '../../model/index.ts';
import { collectReturned } from '../../report/index.ts';
import { refuseOverwriting } from '../../write/index.ts';
import { createChanges } from '../cleaning/changes.ts';
import { withCleanRows } from '../cleaning/clean-rows.ts';
import { cleanTexts } from '../cleaning/clean-texts.ts';
import {
  checkImages,
  type ImagesOfRun,
  refuseUncheckableImages,
  withWrongImages,
} from '../images/check-images.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { close, openForCommand } from '../inputs/open-inputs.ts';
import { filesRead } from '../run/own-files.ts';
import { newRunId } from '../summary/facts.ts';
import { PLANNED } from '../summary/plan.ts';
import { createRecordCounts } from '../summary/progress.ts';
import { createStatistics } from '../summary/statistics.ts';
import { summaryFiles } from '../summary/summary.ts';
import { cleanForms, openCleanFiles } from './files.ts';
import { type OpenCleaning, openCleaning } from './open-cleaning.ts';
import type { CleanOptions } from './options.ts';
import { type CleanSummary, cleanSummary, stagePage } from './summary.ts';

/**
 * Maps and validates files, and writes one clean file: valid records to `out`, invalid records and duplicates to
 * the file of rejects. Each file is whole or absent. Sends no request to a store. Throws ConfigError and RunStopped.
 */
export async function runClean(options: CleanOptions): Promise<CleanSummary> {
  const stopwatch = startStopwatch();
  const opened = await openForCommand(options);
  let checked: ImagesOfRun | undefined;
  let cleaning: OpenCleaning | undefined;
  try {
    refuseObjects(opened, options);
    refuseLosses(options, opened.mapping.lookups);
    const forms = cleanForms(options);
    refuseUncheckableImages(options, opened);
    checked = await checkImages(options, {
      inputs: opened,
      withRows: (again) => withCleanRows(again, createChanges()),
    });
    const inputs = withWrongImages(opened, checked);
    const { interrupted, keepColumns, raw, resource, show = 0 } = options;
    const work = { keepColumns, raw, show, ...forms, run: newRunId(new Date()) };
    const written = await openCleanFiles(options, work.run, cleanTexts(inputs, resource, work.run, work));
    const statistics = createStatistics();
    const counts = createRecordCounts();
    const returned = options.pageWithoutRows ? undefined : collectReturned(inputs.header);
    const { recordFailed } = options.watch;
    cleaning = openCleaning({ options, inputs, counts, work });
    options.watch.started(cleaning.progress);
    try {
      for await (const { planned, others, clean, rejects: rejected } of cleaning.batches()) {
        for (let index = 0; index < planned; index++) {
          statistics.add(PLANNED, 0);
          counts.add(PLANNED.outcome);
        }
        for (const result of others) {
          statistics.add(result.outcome, result.row);
          counts.add(result.outcome.outcome);
          if (result.rows === undefined) continue;
          recordFailed?.(result);
          returned?.add(result);
        }
        await written.write(clean, rejected);
        if (interrupted.aborted) throw new RunStopped('interrupted', 'The clean-up was interrupted.');
      }
      const facts = await cleaning.facts();
      options.watch.shown?.(facts.shown);
      const summary = cleanSummary(options, {
        ...{ inputs, statistics, stopwatch, images: checked?.counts, rejects: written.rejects() },
        ...facts,
      });
      const parts = { files: summaryFiles(facts.files), startedAt: stopwatch.startedAt, returned };
      await written.commit(await stagePage(options.page, summary, parts));
      return summary;
    } catch (error) {
      await written.abort();
      throw error;
    }
  } finally {
    await cleaning?.close();
    checked?.close();
    await close(opened);
  }
}

function refuseLosses(options: CleanOptions, lookups: ImportInputs['mapping']['lookups']): void {
  const { out = '-', rejects, page, commandFiles } = options;
  refuseOverwriting(
    [
      { path: out, says: out === '-' ? 'standard output' : `--out ${out}` },
      ...(rejects === undefined ? [] : [{ path: rejects, says: `--rejects ${rejects}` }]),
      ...(page === undefined ? [] : [{ path: page, says: `the page ${page}` }]),
      ...(commandFiles?.written ?? []),
    ],
    [...filesRead(options, lookups), ...(commandFiles?.read ?? [])],
    commandFiles?.home,
  );
}

function refuseObjects({ files }: ImportInputs, { keepColumns }: CleanOptions): void {
  const objects = files.find(({ source }) => source.table.items !== undefined);
  if (keepColumns && objects)
    throw new ConfigError(
      `${objects.source.table.file} holds JSON objects, which have no columns to be kept.`,
      ['Leave out --keep-columns: the objects are written in the native form.'],
    );
}
