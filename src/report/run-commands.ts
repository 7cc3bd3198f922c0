import { join, relative } from 'node:path';
import { shellWord } from '../model/index.ts';
import type { RunCommands } from './format.ts';
import { importWords } from './import-words.ts';

/** The commands of the plain command line. */
export const PLAIN_COMMANDS: RunCommands = {
  resume: (run) => `storeport run resume ${run}`,
  retry: (run) => `storeport run retry ${run}`,
  resolve: (run) => `storeport run resolve ${run}`,
  importRows({ resource, out, reports }, options) {
    const files = reports.errors.map((name) => join(out, name));
    const shown = (path: string) => relative('', path) || '.';
    const words = importWords({ resource, options }, files, { shown, withStore: true });
    return ['storeport', 'import', ...words].map(shellWord).join(' ');
  },
};
