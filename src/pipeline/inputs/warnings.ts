import { NATIVE } from '../../map/index.ts';
import type { Mode } from '../../plan/index.ts';
import { type FieldType, fieldType, leafPaths, type Resource } from '../../resources/index.ts';
import { mayUpdate } from './bind-tables.ts';
import type { ImportInputs } from './inputs.ts';

/** Warnings: valid but probably unintended input. Given once, before anything is sent. */
export function warningsOf(
  { resource, mode }: { readonly resource: Resource; readonly mode: Mode },
  inputs: ImportInputs,
): string[] {
  const updates = inputs.inputs.some(({ source }) => mayUpdate(resource, mode, source.table));
  return [
    ...missed(inputs),
    ...(mode === 'update' ? [] : noKey(resource, inputs)),
    ...(updates && resource.update ? partialObjects(resource, inputs) : []),
  ];
}

/** Names these columns apart from other unused ones: users expect a preset to read all of a file. */
function missed({ inputs, mapping: { name } }: ImportInputs): string[] {
  const byKind = new Map<string, Set<string>>();
  for (const { kind, columns } of inputs.flatMap(({ missed = [] }) => missed)) {
    const known = byKind.get(kind) ?? new Set();
    byKind.set(kind, known);
    for (const column of columns) known.add(`"${column}"`);
  }
  if (byKind.size === 0) return [];
  const kinds = [...byKind].map(([kind, columns]) => `${kind} (${[...columns].join(', ')})`).join(', ');
  return [
    name === NATIVE
      ? `No field of the API is called like the columns that hold ${kinds}: they do not arrive. Rename these columns to fields of the API, or write a mapping.`
      : `The mapping ${name} does not use the columns that hold ${kinds}: they do not arrive. Rename these columns as the mapping calls them, or save it with "storeport mapping show ${name}", add them, and name that file with --mapping.`,
  ];
}

function noKey({ name, key }: Resource, { inputs }: ImportInputs): string[] {
  const known = inputs.every(({ binding }) => (binding.keyColumn ?? binding.groupKeyOf) !== undefined);
  if (key !== undefined || known) return [];
  return [
    `These ${name} have no key: nothing tells which of them were sent before, and importing the file again makes ` +
      'each of them twice. Call the column that identifies them "_key", or name it in a mapping: `key: <column>`.',
  ];
}

/** Updates replace objects as a whole, so the store may lose the parts that the file does not have. */
function partialObjects({ schema }: Resource, { inputs }: ImportInputs): string[] {
  const root = fieldType(schema);
  const given = inputs[0]?.binding.given ?? [];
  if (root.kind !== 'object') return [];
  return [...root.fields].flatMap(([name, type]) => {
    const parts = given.filter(([top, ...rest]) => top === name && rest.length > 0);
    return type.kind === 'object' && parts.length > 0 ? partialObject(name, type, parts) : [];
  });
}

function partialObject(name: string, type: FieldType, parts: readonly (readonly string[])[]): string[] {
  const replaced = `An update replaces ${name} as a whole. The file has ${parts.map((path) => path.join('.')).join(', ')}`;
  const leaves = leafPaths(type, name);
  // The API document does not show the fields of this object.
  if (leaves.includes(name)) return [`${replaced}: whatever else the store has in ${name} may be lost.`];
  const lacking = leaves.filter((leaf) => !parts.some((path) => overlap(path, leaf.split('.'))));
  if (lacking.length === 0) return [];
  return [
    `${replaced}, but not ${lacking.join(', ')}: what the store has there may be lost. Add these columns to keep it.`,
  ];
}

/** True if the paths are equal or one is inside the other: `seo.keywords.0` and `seo.keywords`. */
export function overlap(a: readonly string[], b: readonly string[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).join('.') === b.slice(0, shared).join('.');
}
