import { runCommand } from './printed-commands.ts';

/** Command lines about a run that messages and reports name, as the user of the run gives them. */
export interface RunCommands {
  resume(run: string): string;
  retry(run: string): string;
  resolve(run: string): string;
  /** Writes its reports again. */
  report(run: string): string;
  show(run: string): string;
  /** How identifiers that were found by other means are recorded. */
  adopt(): string;
}

/** The commands of the plain command line. */
export const PLAIN_COMMANDS: RunCommands = {
  resume: (run) => runCommand('run resume', run),
  retry: (run) => runCommand('run retry', run),
  resolve: (run) => runCommand('run resolve', run),
  report: (run) => runCommand('run report', run),
  show: (run) => runCommand('run show', run),
  adopt: () => 'storeport run adopt --help',
};
