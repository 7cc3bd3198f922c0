import {
  MONITOR_OPTIONS,
  READ_OPTIONS,
  SEND_OPTIONS,
  STORE_OPTIONS,
  wholeNumber,
} from '../../options/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { IMPORTABLE_TEXT } from '../output/resource-names.ts';
import { type ImportArguments, runDry, runWithStore } from '../run-import.ts';
import type { Command } from './command.ts';

export const RESOURCE_AND_FILES = {
  resource: { describe: IMPORTABLE_TEXT, completes: IMPORTABLE_NAMES },
  files: {
    describe: 'CSV, TSV, JSON or NDJSON files, gzipped or not, or Excel workbooks; - is standard input',
    completes: 'file',
  },
} as const;

export const importCommand: Command<ImportArguments> = {
  usage: 'import <resource> <files..>',
  summary: 'Map, validate and send records to the store',
  positionals: RESOURCE_AND_FILES,
  options: {
    ...READ_OPTIONS,
    'dry-run': {
      topic: 'sending',
      type: 'boolean',
      default: false,
      describe: 'Send nothing: the same as validate',
    },
    canary: {
      topic: 'sending',
      type: 'number',
      syntax: wholeNumber(1),
      describe: 'Send N records, show their outcomes, ask before the rest',
    },
    yes: {
      topic: 'sending',
      type: 'boolean',
      default: false,
      describe: 'Continue after the canary without asking',
      emptyIsNone: true,
    },
    ...SEND_OPTIONS,
    ...STORE_OPTIONS,
    ...MONITOR_OPTIONS,
  },
  mainOptions: [
    'mapping',
    'mode',
    'set',
    'limit',
    'check-images',
    'dry-run',
    'canary',
    'rate',
    'out',
    'errors-as',
    'profile',
    'sandbox',
  ],
  examples: [
    ['$0 import products products_export.csv --sandbox', 'Try a Shopify export out on a sandbox'],
    ['$0 import customers customers.csv --rate 10 --set status=ACTIVE', 'At most 10 requests a second'],
  ],
  async run(args, context) {
    if (args.dryRun) return runDry(args, context);
    const { runImport } = await import('../../pipeline/index.ts');
    return runWithStore(args, context, runImport);
  },
};
