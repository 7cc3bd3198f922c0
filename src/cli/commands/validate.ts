import { MONITOR_OPTIONS, READ_OPTIONS, STORE_OPTIONS } from '../../options/index.ts';
import { type ReadArguments, runDry } from '../run-import.ts';
import type { Command } from './command.ts';
import { RESOURCE_AND_FILES } from './import.ts';

export const validateCommand: Command<ReadArguments> = {
  usage: 'validate <resource> <files..>',
  summary: 'The same without sending: the plan and every issue; no store is contacted',
  positionals: RESOURCE_AND_FILES,
  options: {
    ...READ_OPTIONS,
    ...MONITOR_OPTIONS,
    timeout: { ...STORE_OPTIONS.timeout, topic: 'images', describe: 'Deadline of one request for an image' },
    profile: { ...STORE_OPTIONS.profile, describe: 'Named profile of the store that the records are for' },
  },
  mainOptions: [
    'mapping',
    'mode',
    'set',
    'limit',
    'show',
    'check-images',
    'encoding',
    'sheet',
    'out',
    'errors-as',
    'profile',
    'json',
  ],
  examples: [
    ['$0 validate products products_export.csv', 'What would be created, and what is wrong with the rest'],
  ],
  run: runDry,
};
