import type { JsonObject, RunCommands } from '../model/index.ts';
import type { CsvForm } from '../write/index.ts';

/** The form of the reports for people: chosen with `--errors-as`, `--out-delimiter` and `--out-bom`. */
export interface ReportFormat extends CsvForm {
  /** Form of the rows to correct and of those in doubt. */
  readonly errorsAs: 'csv' | 'xlsx';
  /** True if report.html must have no rows, keys or cells. Default: false. */
  readonly pageWithoutRows?: boolean;
}

/** The form of a run's reports, and the commands that they name. */
export interface ReportSettings extends ReportFormat {
  /** The commands that continue the run. Default: those of the plain command line. */
  readonly commands?: ReportCommands;
}

export const CSV_REPORTS: ReportFormat = { errorsAs: 'csv' };

/** Names of the reports. Rows that a workbook cannot hold are in the CSV file beside it. */
export const REPORT_FILES = {
  results: 'results.csv',
  errors: 'errors.csv',
  inDoubt: 'in-doubt.csv',
  plan: 'plan.csv',
  page: 'report.html',
  summary: 'summary.json',
} as const;

export const WORKBOOK_FILES = { errors: 'errors.xlsx', inDoubt: 'in-doubt.xlsx' } as const;

/** The files of a run's reports, as summary.json names them. */
export interface ReportNames {
  readonly results: string;
  /** One file; two if a workbook cannot hold all rows. */
  readonly errors: readonly string[];
  readonly in_doubt: readonly string[];
  /** Only of a check. */
  readonly plan?: string;
  /** The page for people. */
  readonly page: string;
}

/** The names of reports in this form. `has` is true for a file that was written; if none was, the form decides. */
export function reportNames({ errorsAs }: ReportFormat, has: (name: string) => boolean): ReportNames {
  const written = (kind: keyof typeof WORKBOOK_FILES) => {
    const [book, csv] = [WORKBOOK_FILES[kind], REPORT_FILES[kind]];
    const found = [book, csv].filter(has);
    return found.length > 0 ? found : [errorsAs === 'xlsx' ? book : csv];
  };
  return {
    results: REPORT_FILES.results,
    errors: written('errors'),
    in_doubt: written('inDoubt'),
    page: REPORT_FILES.page,
  };
}

/** The commands that reports name. */
export interface ReportCommands extends RunCommands {
  /** The import of the corrected rows. `options`: those of the run, without which other records would be sent. */
  importRows(run: ReportedImport, options: JsonObject): string;
}

export interface ReportedImport {
  readonly resource: string;
  /** Folder of the reports. */
  readonly out: string;
  readonly reports: Pick<ReportNames, 'errors'>;
}
