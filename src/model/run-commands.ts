/** Command lines about a run that messages and reports name, as the user of the run gives them. */
export interface RunCommands {
  resume(run: string): string;
  retry(run: string): string;
  resolve(run: string): string;
  /** Writes its reports again. */
  report(run: string): string;
  show(run: string): string;
  /** Records identifiers that were found by other means. Undefined if there is no such command. */
  readonly adopt?: string | undefined;
}

/** The commands of the plain command line. */
export const PLAIN_COMMANDS: RunCommands = {
  resume: (run) => `storeport run resume ${run}`,
  retry: (run) => `storeport run retry ${run}`,
  resolve: (run) => `storeport run resolve ${run}`,
  report: (run) => `storeport run report ${run}`,
  show: (run) => `storeport run show ${run}`,
  adopt: 'storeport run adopt',
};
