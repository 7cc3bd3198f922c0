import { printedCommand } from '../../model/index.ts';
import { importArguments, type ReportCommands } from '../../report/index.ts';

/** Commands about the tasks of a store. */
export interface FleetCommands extends ReportCommands {
  stop(task: string): string;
  /** Fetches its files into `fetchedFolder`. */
  get(task: string): string;
  /** After a backup was restored. */
  reviewed(): string;
}

/** The commands that continue the run of a task: its reports are read by people who have no home of the worker. */
export function fleetCommands(store: string): FleetCommands {
  const about = (command: string) => (task: string) => printedCommand(`fleet ${command}`, [task]);
  return {
    stop: about('stop'),
    get: about('get'),
    resume: about('resume'),
    retry: about('retry'),
    resolve: about('resolve'),
    // A worker writes the reports of a run that has ended.
    report: about('resume'),
    show: about('show'),
    adopt: () => 'storeport fleet adopt --help',
    reviewed: () => printedCommand('fleet resume', [], { reviewed: store }),
    importRows({ resource, reports }, options) {
      const given = importArguments({ resource, options }, reports.errors, {
        shown: (name) => name,
        withStore: false,
      });
      return printedCommand('fleet run import', given.words, { ...given.options, stores: store });
    },
  };
}

/** The folder of the files of a task that were fetched, below the working directory. */
export function fetchedFolder(task: string): string {
  return `storeport-runs/${task}`;
}
