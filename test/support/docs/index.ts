import { presetsByPlatform, STEPS } from '../../../src/map/index.ts';
import { ERROR_COLUMNS, RESULT_COLUMNS } from '../../../src/report/index.ts';
import { importable } from '../../../src/resources/index.ts';
import { FAULTS } from '../../../src/sandbox/index.ts';
import { TIMING_FORM } from '../../../src/sandbox/misbehave/when.ts';
import {
  allCommands,
  commandBlock,
  emptyVariables,
  exitCodes,
  OPTION_GROUPS,
  optionsByTopic,
} from './commands.ts';
import { deliveryRules } from './delivery.ts';
import { code, codeLink, table } from './markdown.ts';
import { codeIndex, outcomes, RESULT_WORDS, RETURN_WORDS, rowsOf, SUMMARY_WORDS } from './reports.ts';
import { apiParts, exportLists, fields } from './resources.ts';

/** Parts of the pages that the code generates, by the name in `<!-- name:begin -->`. */
export async function generatedBlocks(): Promise<Map<string, string>> {
  const commands = await allCommands();
  return new Map([
    ['steps', steps()],
    ...[...commands].map(([name, command]): [string, string] => [
      `command-${name.replaceAll(' ', '-')}`,
      commandBlock(name, command),
    ]),
    ...OPTION_GROUPS.map(({ name, options }): [string, string] => [
      `options-${name}`,
      optionsByTopic(options),
    ]),
    ['gallery', gallery()],
    ['exit-codes', exitCodes()],
    ['code-index', codeIndex()],
    ['empty-variables', emptyVariables(commands.values())],
    ['outcomes', outcomes()],
    ['result-columns', table(['column', 'holds'], rowsOf(RESULT_COLUMNS, RESULT_WORDS))],
    ['return-columns', table(['column', 'holds'], rowsOf(ERROR_COLUMNS, RETURN_WORDS))],
    ['summary-fields', table(['field', 'holds'], rowsOf(Object.keys(SUMMARY_WORDS), SUMMARY_WORDS))],
    ['delivery-rules', deliveryRules()],
    ['export-lists', exportLists()],
    ['api-parts', apiParts()],
    ...faultGroups().map((group): [string, string] => [`faults-${group}`, faults(group)]),
    ...importable.map(({ name }): [string, string] => [`fields-${name}`, fields(name)]),
  ]);
}

/** The presets by platform, with the columns by which each is recognised. */
function gallery(): string {
  const rows = [...presetsByPlatform()].flatMap(([platform, presets]) =>
    presets.map(({ name, resource, title, recognise }) => {
      const columns = recognise.map((each) => each.map(code).join(' or '));
      return [platform, `[${code(name)}](#${name})`, resource, title, columns.join(', ')];
    }),
  );
  return table(['platform', 'preset', 'resource', 'reads', 'known by'], rows);
}

function steps(): string {
  return STEPS.map(({ name, doc, examples }) => {
    const rows = examples.map(({ args, in: cell, out, issue }) => [
      code(stepText(name, args)),
      code(cell),
      issue ? `issue ${codeLink(issue)}` : out === undefined ? 'nothing' : code(JSON.stringify(out)),
    ]);
    return `### ${code(name)}\n\n${doc}\n\n${table(['in the mapping', 'cell', 'becomes'], rows)}`;
  }).join('\n\n');
}

/** A step as it is written in a mapping. `else` is beside `map`, not inside it. */
function stepText(name: string, args: unknown): string {
  if (name !== 'map') return `${name}: ${yaml(args)}`;
  const { words, else: otherwise } = args as { words: unknown; else?: unknown };
  return `map: ${yaml(words)}${otherwise === undefined ? '' : `, else: ${yaml(otherwise)}`}`;
}

function yaml(value: unknown): string {
  if (typeof value === 'string')
    return /^[A-Za-z]\w*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(yaml).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${key}: ${yaml(inner)}`);
  return `{ ${entries.join(', ')} }`;
}

function faultGroups(): string[] {
  return [...new Set(Object.values(FAULTS).map(({ group }) => group))];
}

function faults(group: string): string {
  const own = Object.entries(FAULTS).filter(([, fault]) => fault.group === group);
  // The schedule of faults has a table of its own.
  const values = own.some(([, { takes }]) => takes !== TIMING_FORM);
  return table(
    ['fault', ...(values ? ['takes'] : []), 'does', 'such as'],
    own.map(([name, { takes, says, example }]) => [
      code(name),
      ...(values ? [takes === TIMING_FORM ? 'when, as above' : takes] : []),
      says,
      code(`${name}=${example}`),
    ]),
  );
}
