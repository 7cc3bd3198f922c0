import { join } from 'node:path';
import { relative } from '../model/files/fs.ts';
import { PLAIN_COMMANDS, printedCommand } from '../model/index.ts';
import type { ReportCommands } from './format.ts';
import { importArguments } from './import-words.ts';

/** The commands of the plain command line. */
export const PLAIN_REPORT_COMMANDS: ReportCommands = {
  ...PLAIN_COMMANDS,
  importRows({ resource, out, reports }, options) {
    const files = reports.errors.map((name) => join(out, name));
    const shown = (path: string) => relative('', path) || '.';
    const given = importArguments({ resource, options }, files, { shown, withStore: true });
    return printedCommand('import', given.words, given.options);
  },
};
