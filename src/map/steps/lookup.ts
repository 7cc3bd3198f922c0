import * as z from 'zod';
import { printedCommand } from '../../model/index.ts';
import { importable } from '../../resources/index.ts';
import { defineStep, type LookupResult, type LookupTable, noteUse, quoted } from './step.ts';

const otherwise = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional();
const inFile = z.strictObject({
  file: z.string().min(1),
  key: z.string().min(1),
  value: z.string().min(1),
  else: otherwise,
});
const inLedger = z.strictObject({
  from: z.enum(importable.map(({ name }) => name) as [string]),
  else: otherwise,
});
const args = z.union([inFile, inLedger]);
type Args = z.infer<typeof args>;

export const lookup = defineStep<Args>({
  name: 'lookup',
  doc:
    'Replaces a text by its value elsewhere: in a CSV file beside the mapping, or, with `from`, by the id that the store gave a ' +
    'record of an earlier run. In a file, keys are compared without regard to case. What is not found becomes `else` (`null` leaves the field ' +
    'out); without `else` it is an issue, and so is a key that the file has with two values.',
  args,
  makes: (given) => (typeof (given.else ?? '') === 'string' ? 'text' : 'any'),
  importsOnly: true,
  examples: [
    { args: { file: 'brands.csv', key: 'Name', value: 'Code' }, in: 'Quiet Inkwell', out: 'QI' },
    { args: { file: 'brands.csv', key: 'Name', value: 'Code' }, in: 'Nobody', issue: 'not-found' },
    { args: { file: 'brands.csv', key: 'Name', value: 'Code', else: 'NONE' }, in: 'Nobody', out: 'NONE' },
    { args: { file: 'brands.csv', key: 'Name', value: 'Code', else: null }, in: 'Nobody' },
    { args: { file: 'brands.csv', key: 'Name', value: 'Code' }, in: 'Twice', issue: 'ambiguous' },
    { args: { from: 'suppliers' }, in: 'Tidewater Mill', out: '66c0ffee0000000000000001' },
    { args: { from: 'suppliers' }, in: 'Nobody', issue: 'not-found' },
  ],
  make(given, watch) {
    const table = tableOf(given);
    return (text, addIssue, lookups) => {
      const answer = lookups.find(table, text);
      noteUse(lookups, watch, 'value' in answer);
      if ('value' in answer) return answer.value;
      if (answer.missing === 'unknown' && given.else !== undefined) return given.else ?? undefined;
      const { code, message } = PROBLEMS[answer.missing];
      const { says } = answer;
      return addIssue(code, says === undefined ? message(quoted(text), table) : `${quoted(text)} ${says}`);
    };
  },
});

/** The table of a lookup with these arguments. */
export function tableOf(given: unknown): LookupTable {
  const { else: _, ...table } = given as Args;
  return table;
}

interface Problem {
  readonly code: string;
  readonly message: (text: string, table: LookupTable) => string;
}

/** Reasons why a lookup has no value, and what to do about it. */
const PROBLEMS: Readonly<Record<Extract<LookupResult, { missing: string }>['missing'], Problem>> = {
  unknown: {
    code: 'not-found',
    message: (text, table) =>
      'file' in table
        ? `${text} is not in the column "${table.key}" of ${table.file}: add a row for it there, or correct this cell`
        : `no run has created ${text} among the ${table.from} of this store: import the ${table.from} first, or correct this cell`,
  },
  ambiguous: {
    code: 'ambiguous',
    message: (text, table) =>
      `${text} has several values in ${placeOf(table)}: leave one row for it there, or correct this cell`,
  },
  'in-doubt': {
    code: 'not-settled',
    message: (text, table) =>
      `whether ${text} is among the ${placeOf(table)} of this store is in doubt: settle it first. To find its run: ${printedCommand('run list')}`,
  },
};

function placeOf(table: LookupTable): string {
  return 'file' in table ? table.file : table.from;
}
