import type { Mode } from '../plan/index.ts';
import { fieldType, type Resource } from '../resources/index.ts';
import { type Inputs, mayUpdate } from './sources.ts';

/** What is allowed about a command, and may still not be what was meant. */
export function warningsOf(
  { resource, mode }: { readonly resource: Resource; readonly mode: Mode },
  inputs: Inputs,
): string[] {
  const updates = inputs.inputs.some(({ source }) => mayUpdate(resource, mode, source.table));
  return [...noKey(resource, inputs), ...(updates && resource.update ? partialObjects(inputs) : [])];
}

function noKey({ name, key }: Resource, { mapping }: Inputs): string[] {
  if (key !== undefined || mapping.keyBy !== undefined || mapping.groupBy !== undefined) return [];
  return [
    `Nothing tells which of these ${name} were sent before: importing the file again makes each of them twice. ` +
      'Name the column that identifies them `_key`, or name it as `key` in the mapping.',
  ];
}

/** Objects are replaced whole: the parts that the file does not have may be lost in the store. */
function partialObjects({ mapping }: Inputs): string[] {
  const root = fieldType(mapping.resource.schema);
  if (root.kind !== 'object') return [];
  return [...root.fields].flatMap(([name, type]) => {
    if (type.kind !== 'object' || type.fields.size === 0) return [];
    const given = mapping.fields.filter(({ path }) => path[0] === name);
    if (given.length === 0 || given.some(({ path }) => path.length === 1)) return [];
    const parts = new Set(given.map(({ path }) => path[1]));
    const lacking = [...type.fields.keys()].filter((part) => !parts.has(part));
    if (lacking.length === 0) return [];
    return [
      `An update replaces ${name} as a whole. The file has ${list(name, [...parts])}; ` +
        `what the store has in ${list(name, lacking)} may be lost.`,
    ];
  });
}

function list(name: string, parts: readonly (string | undefined)[]): string {
  return parts.map((part) => `${name}.${part}`).join(', ');
}
