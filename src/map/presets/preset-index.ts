import { basename, extname } from 'node:path';
import { readdirSync, readFileSync } from '../../model/files/fs.ts';
import { packageFile } from '../../model/index.ts';
import type { JoinedFile } from '../mapping.ts';
import { parseMapping } from '../syntax/parse.ts';

/** The part of a preset before its rules: enough to recognise a file, and to list and complete presets. */
export interface PresetHead {
  readonly name: string;
  readonly title: string;
  /** Name of the resource. */
  readonly resource: string;
  /** Same as `Mapping.recognise`. */
  readonly recognise: readonly (readonly string[])[];
  /** Entries of `Mapping.aliases`. */
  readonly aliases: readonly (readonly [string, readonly string[]])[];
  /** Same as `Mapping.joined`. */
  readonly joined?: readonly JoinedFile[];
}

let heads: readonly PresetHead[] | undefined;

/**
 * The presets that ship with the tool, sorted by name. The build replaces this module by its result
 * (scripts/inline-presets.mjs), so only code that runs from source parses the files, once a process.
 */
export function presetIndex(): readonly PresetHead[] {
  heads ??= readdirSync(packageFile('mappings'))
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort()
    .map(readHead);
  return heads;
}

const RULES = /^(?:group|skip|fields):/m;

/** Leaves out the rules: to parse them takes four times as long. */
function readHead(name: string): PresetHead {
  const text = readFileSync(packageFile('mappings', `${name}.yaml`), 'utf8');
  const head = `${text.slice(0, text.search(RULES))}\nfields: {}\n`;
  const { title, resource, recognise, aliases, joined } = parseMapping(name, head);
  return {
    ...{ name, title, resource: resource.name, recognise, aliases: [...aliases] },
    ...(joined === undefined ? {} : { joined }),
  };
}
