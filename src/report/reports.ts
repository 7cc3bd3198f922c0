import { join } from 'node:path';
import {
  ConfigError,
  firstOfShared,
  IN_ERRORS_CSV,
  type JsonObject,
  type KeptRow,
  makePrivateFolder,
  ownershipHints,
  PLAIN_COMMANDS,
  type RecordResult,
  type RunActivity,
} from '../model/index.ts';
import { type MarkedRow, openAtomicFile } from '../write/index.ts';
import {
  FOUND_COLUMN,
  PLAN_COLUMNS,
  type PlanLine,
  planCells,
  RESULT_COLUMNS,
  RETURN_COLUMNS,
  resultCells,
  returnTable,
} from './columns.ts';
import { CSV_REPORTS, REPORT_FILES, type ReportNames, type ReportSettings, reportNames } from './format.ts';
import { runPage } from './page/page.ts';
import { collectReturned } from './page/returned-records.ts';
import { openCsvReport, openReturnedRows, openSurplusRows } from './returned-rows.ts';
import type { SettledBatch } from './settled-batches.ts';
import type { Summary } from './summary.ts';

/** The reports of one run, written side by side in one pass. They appear whole, or not at all. */
export interface Reports {
  /**
   * Adds a record; in source order. `plan` goes into plan.csv, if there is one. If a promise is returned, it resolves when
   * more may be added.
   */
  add(settled: RecordResult, plan?: PlanLine): Promise<void> | undefined;
  /** Adds records that follow those added before. To be awaited. */
  addBatch(batch: SettledBatch): Promise<void>;
  /** The files that `finish` writes, once all records were added. */
  names(): ReportNames;
  /**
   * Writes `report.html` and, last, `summary.json`: if it exists, the others are complete. `more` is for the page alone.
   * Removes what was written if it throws.
   */
  finish(summary: Summary, more?: PageMore): Promise<void>;
  /** Removes everything that was written. */
  abort(): Promise<void>;
}

/** Facts that report.html shows and summary.json does not have. */
export interface PageMore {
  /** Options of the command. */
  readonly options?: JsonObject | undefined;
  readonly activity?: RunActivity | undefined;
}

export interface ReportsOptions {
  readonly folder: string;
  readonly run: string;
  /** Column names of the source. */
  readonly header: readonly string[];
  /** Missing parts are as in `CSV_REPORTS`. */
  readonly format?: Partial<ReportSettings> | undefined;
  /** True to write plan.csv too. Default: false. */
  readonly withPlan?: boolean;
}

/** The note at the header of errors.xlsx. */
const HOW_TO_CORRECT =
  'Correct the coloured cells and save this workbook. Leave the columns that begin with storeport_ as they are, but for storeport_surplus: empty it once its cells are where they belong. Then import it with the same mapping.';

/**
 * Opens the reports of a run. Creates the folder if necessary, for its owner alone: reports contain customers' data.
 * Throws ConfigError if it cannot be written.
 */
export async function openReports({ folder, run, header, ...options }: ReportsOptions): Promise<Reports> {
  const format = { ...CSV_REPORTS, ...options.format };
  try {
    makePrivateFolder(folder);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`The folder for reports, ${folder}, cannot be made: ${message}.`, [
      'Choose another with --out.',
      ...ownershipHints(error, folder),
    ]);
  }
  const returned = returnTable(header);
  const ownFrom = returned.ownFrom;
  /** Index of the column for answers in in-doubt.csv, behind storeport_message. */
  const found = ownFrom + RETURN_COLUMNS.length;
  const opened: { abort(): Promise<void> }[] = [];
  const noted = async <File extends (typeof opened)[number]>(opening: Promise<File>) => {
    const file = await opening;
    opened.push(file);
    return file;
  };
  const openFiles = async () => ({
    results: await noted(openCsvReport(join(folder, REPORT_FILES.results), RESULT_COLUMNS, format)),
    errors: await noted(
      openSurplusRows(format, {
        ...{ folder, ownFrom, kind: 'errors', columns: returned.header },
        headerNotes: [{ column: found - 1, note: HOW_TO_CORRECT }],
      }),
    ),
    inDoubt: await noted(
      openReturnedRows(format, {
        ...{ folder, ownFrom, kind: 'inDoubt', columns: [...returned.header.slice(0, found), FOUND_COLUMN] },
        headerNotes: [{ column: found, note: howToAnswer(run, format.commands) }],
      }),
    ),
    plans: options.withPlan
      ? await noted(openCsvReport(join(folder, REPORT_FILES.plan), PLAN_COLUMNS, format))
      : undefined,
  });
  const { results, errors, inDoubt, plans } = await openFiles().catch(async (error: unknown) => {
    for (const file of opened) await file.abort();
    throw error;
  });
  const all = [results, errors, inDoubt, ...(plans ? [plans] : [])];
  const abort = async () => void (await Promise.all(all.map((file) => file.abort())));
  const isFirst = { errors: firstOfShared(), inDoubt: firstOfShared() };
  const shown = format.pageWithoutRows ? undefined : collectReturned(header);

  /** Adds a record to the reports of rows to return. */
  function addReturned(settled: RecordResult): void {
    shown?.add(settled);
    const { rows = [], outcome, supersededBy } = settled;
    const from = supersededBy?.run ?? run;
    if (outcome.outcome === 'in-doubt') {
      const answered = (row: KeptRow): MarkedRow => ({
        cells: [...returned.line(from, row, settled).slice(0, found), ''],
        marks: [{ column: found }],
      });
      inDoubt.push(rows.filter(isFirst.inDoubt).map(answered));
    } else if (IN_ERRORS_CSV.has(outcome.outcome)) {
      const marks = format.errorsAs === 'xlsx' ? returned.marks(settled) : undefined;
      const lineOf = (row: KeptRow): MarkedRow => ({
        cells: returned.line(from, row, settled),
        marks: marks?.(row),
      });
      errors.push(rows.filter(isFirst.errors).map(lineOf));
    }
  }

  /** Writes the reports that have gathered enough rows. */
  function drained(): Promise<void> | undefined {
    const full = all.filter((each) => each.full());
    return full.length > 0 ? Promise.all(full.map((each) => each.drain())).then(() => undefined) : undefined;
  }

  return {
    add(settled, plan) {
      results.push(resultCells(settled));
      if (plan) plans?.push(planCells(plan));
      addReturned(settled);
      return drained();
    },
    async addBatch({ lines, others }) {
      await results.append(lines);
      for (const settled of others) {
        addReturned(settled);
        await drained();
      }
    },
    names() {
      const files = new Set([...errors.files(), ...inDoubt.files()]);
      return {
        ...reportNames(format, (name) => files.has(name)),
        ...(plans ? { plan: REPORT_FILES.plan } : {}),
      };
    },
    async finish(summary, { options = {}, activity } = {}) {
      try {
        for (const file of all) await file.commit();
      } catch (error) {
        await abort();
        throw error;
      }
      await writeWhole(
        join(folder, REPORT_FILES.page),
        runPage({ run: summary, returned: shown, options, activity, commands: format.commands }),
      );
      await writeWhole(join(folder, REPORT_FILES.summary), `${JSON.stringify(summary, null, 2)}\n`);
    },
    abort,
  };
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await openAtomicFile(path);
  await file.write(text);
  await file.commit();
}

/** The note at the header of in-doubt.xlsx. */
function howToAnswer(run: string, { resolve } = PLAIN_COMMANDS): string {
  return `Look in the store for each record. Write its identifier, or "no", into this column and save this workbook. Then: ${resolve(run)} --from in-doubt.xlsx`;
}
