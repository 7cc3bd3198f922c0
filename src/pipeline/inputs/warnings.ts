import { holdsAddress, NATIVE, presetNames } from '../../map/index.ts';
import { printedCommand, type SourceRecord, suggestCommand } from '../../model/index.ts';
import type { Mode } from '../../plan/index.ts';
import { type FieldType, fieldType, leafPaths, type Resource } from '../../resources/index.ts';
import { mayUpdate } from './bind-tables.ts';
import type { ImportInputs, InputFile } from './inputs.ts';

/** Warnings: valid but probably unintended input. Given once, before anything is sent. */
export function warningsOf(
  { resource, mode }: { readonly resource: Resource; readonly mode: Mode },
  inputs: ImportInputs,
): string[] {
  const updates = inputs.files.some(({ source }) => mayUpdate(resource, mode, source.table));
  return [
    ...missed(resource, inputs),
    ...(mode === 'update' ? [] : noKey(resource, inputs)),
    ...(updates && resource.update ? partialObjects(resource, inputs) : []),
  ];
}

/**
 * Names these columns apart from other unused ones: users expect a preset to read all of a file. Authors of a mapping have decided
 * what it leaves out; a finding tells them if no record has such a field.
 */
function missed({ name: resource }: Resource, { files, mapping: { name } }: ImportInputs): string[] {
  if (name !== NATIVE && !presetNames().includes(name)) return [];
  const byKind = new Map<string, Set<string>>();
  for (const { kind, columns } of files.flatMap(({ missed = [] }) => missed)) {
    const known = byKind.get(kind) ?? new Set();
    byKind.set(kind, known);
    for (const column of columns) known.add(`"${column}"`);
  }
  if (byKind.size === 0) return [];
  const kinds = [...byKind].map(([kind, columns]) => `${kind} (${[...columns].join(', ')})`).join(', ');
  if (name !== NATIVE)
    return [
      `The mapping ${name} does not use these columns, so they are not imported: ${kinds}. Rename them to columns that the mapping uses, or add them to a copy of it, which --mapping names. To print it: ${printedCommand('mapping show', [name])}`,
    ];
  const [file] = files;
  const isOnce = file?.source.table.file === '-';
  const draft = isOnce ? '' : ` To draft one: ${suggestCommand(resource, file?.source.table.file ?? '')}`;
  return [
    `No field of the API has the name of these columns, so they are not imported: ${kinds}. Rename these columns to fields of the API, or write a mapping.${draft}`,
  ];
}

function noKey({ name, key }: Resource, { files }: ImportInputs): string[] {
  const known = files.every(({ binding }) => (binding.keyColumn ?? binding.groupKeyOf) !== undefined);
  if (key !== undefined || known) return [];
  return [
    `These ${name} have no key: those that were sent before cannot be recognised, and importing the file again ` +
      'creates each of them twice. Call the column that identifies them "_key", or name it in a mapping: `key: <column>`.',
  ];
}

/** Updates replace objects as a whole, so the store may lose the parts that the file does not have. */
function partialObjects({ schema }: Resource, { files }: ImportInputs): string[] {
  const root = fieldType(schema);
  const given = files[0]?.binding.fillablePaths ?? [];
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
  if (leaves.includes(name)) return [`${replaced}: anything else that the store has in ${name} may be lost.`];
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

/** Counts rows with an empty group key, if the mapping does not say that such rows continue the row above. */
export interface MissingGroupKeys {
  note(records: readonly SourceRecord[], file: number): void;
  warnings(): string[];
}

/** Counts them only below a row with a key: some platforms write the key only in the first row of each record. */
export function createMissingGroupKeys({ files, mapping: { groupBy } }: ImportInputs): MissingGroupKeys {
  const counts = files.map(() => ({ rows: 0, hasKeys: false }));
  return {
    note(records, file) {
      const { binding } = files[file] ?? {};
      const count = counts[file];
      if (!count || !binding?.groupKeyOf || binding.continuesAbove || binding.isUnordered) return;
      for (const { rows } of records) {
        const [row] = rows;
        if (!row || row.issues) continue;
        if (binding.groupKeyOf(row) !== '') count.hasKeys = true;
        else if (count.hasKeys) count.rows++;
      }
    },
    warnings: () =>
      counts.flatMap(({ rows }, file) => (rows === 0 ? [] : [missingKeys(rows, groupBy, files[file])])),
  };
}

function missingKeys(rows: number, groupBy: readonly string[] = [], input?: InputFile): string {
  const [are, each, they] =
    rows === 1 ? ['row has', 'it is', 'it continues'] : ['rows have', 'each is', 'they continue'];
  const columns = groupBy.map((name) => `"${name}"`).join(' or ');
  const found = `${rows} ${are} no ${columns} in ${input?.source.table.file}, and ${each} a record of its own.`;
  // With several columns, \`empty\` is not possible.
  if (groupBy.length > 1) return found;
  return `${found} If ${they} the row above, write "empty: continues" into the mapping's group.`;
}

/** Counts images that a mapping leaves out because the file has no web address for them. */
export interface LeftOutImages {
  note(path: string): void;
  warnings(): string[];
}

export function createLeftOutImages(): LeftOutImages {
  const paths: string[] = [];
  const others: string[] = [];
  let counts = { paths: 0, others: 0 };
  return {
    note(text) {
      const isPath = !holdsAddress(text);
      counts = { paths: counts.paths + (isPath ? 1 : 0), others: counts.others + (isPath ? 0 : 1) };
      const examples = isPath ? paths : others;
      if (examples.length === 0) examples.push(text);
    },
    warnings: () => [
      ...(counts.paths === 0
        ? []
        : [
            `${leftOut(counts.paths)}: the file has paths such as "${paths[0]}", and not the ` +
              'address of their folder. Name it with --image-base, such as --image-base https://shop.example.com/media/catalog/product.',
          ]),
      ...(counts.others === 0
        ? []
        : [
            `${leftOut(counts.others)}: the file has other text around their addresses, such as "${others[0]}". Leave only the addresses in these cells.`,
          ]),
    ],
  };
}

function leftOut(count: number): string {
  return `${count} ${count === 1 ? 'image was' : 'images were'} left out`;
}
