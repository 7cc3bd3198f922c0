import type { ReportFormat } from '../../report/index.ts';

/** The options of `REPORT_OPTIONS`. Undefined in runs of earlier versions, and where they only override a run's own. */
export interface ReportArguments {
  readonly errorsAs?: ReportFormat['errorsAs'] | undefined;
}

/** Returns the form of the reports; undefined if no option names one. */
export function reportFormatIn({ errorsAs }: ReportArguments): ReportFormat | undefined {
  return errorsAs === undefined ? undefined : { errorsAs };
}
