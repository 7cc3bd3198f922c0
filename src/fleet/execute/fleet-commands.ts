import { shellWord } from '../../model/index.ts';
import { importWords, type ReportCommands } from '../../report/index.ts';

/** The commands that continue the run of a task: its reports are read by people who have no home of the worker. */
export function fleetCommands(store: string): ReportCommands {
  return {
    resume: (task) => `storeport fleet resume ${task}`,
    retry: (task) => `storeport fleet retry ${task}`,
    resolve: (task) => `storeport fleet resolve ${task}`,
    // A worker writes the reports of a run that has ended.
    report: (task) => `storeport fleet resume ${task}`,
    show: (task) => `storeport fleet show ${task}`,
    importRows({ resource, reports }, options) {
      const words = importWords({ resource, options }, reports.errors, {
        shown: (name) => name,
        withStore: false,
      });
      return ['storeport', 'fleet', 'run', 'import', ...words, '--stores', store].map(shellWord).join(' ');
    },
  };
}
