import type { JsonObject } from '../../model/index.ts';
import type { ReportFormat } from '../../report/index.ts';
import type { CsvForm } from '../../write/index.ts';
import { camelCase } from './arguments.ts';
import { REPORT_OPTIONS } from './options.ts';

/** The options of `CSV_OPTIONS`. */
export interface CsvArguments {
  readonly outDelimiter?: string | undefined;
  readonly outBom?: boolean | undefined;
}

/** The options of `REPORT_OPTIONS`. Undefined in runs of earlier versions, and where they only override a run's own. */
export interface ReportArguments extends CsvArguments {
  readonly errorsAs?: ReportFormat['errorsAs'] | undefined;
  readonly reportWithoutRows?: boolean | undefined;
}

/** Returns the form of CSV files, without what no option names. */
export function csvFormIn({ outDelimiter, outBom }: CsvArguments): CsvForm {
  return {
    ...(outDelimiter === undefined ? {} : { delimiter: outDelimiter }),
    ...(outBom === undefined ? {} : { bom: outBom }),
  };
}

/** Returns the form of the reports, without what no option names. */
export function reportFormatIn({
  errorsAs,
  reportWithoutRows,
  ...csv
}: ReportArguments): Partial<ReportFormat> {
  return {
    ...(errorsAs === undefined ? {} : { errorsAs }),
    ...(reportWithoutRows === undefined ? {} : { pageWithoutRows: reportWithoutRows }),
    ...csvFormIn(csv),
  };
}

/** Returns the given options of `REPORT_OPTIONS`, to store them with a run. */
export function reportArgumentsIn(args: ReportArguments): JsonObject {
  const names = Object.keys(REPORT_OPTIONS).map(camelCase);
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => names.includes(name) && value !== undefined),
  ) as JsonObject;
}
