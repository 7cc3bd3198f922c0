import { didYouMean, nearest } from '../did-you-mean.ts';
import type { Mapping } from '../mapping.ts';
import { alternativesIn, listsAround, sourceColumns } from '../rows/used-columns.ts';
import type { RowView } from './row-view.ts';

/**
 * The first name of each column that the file has under none of its names. For a field in a missing list, this is the
 * list. An alias of a column that the file has is not missing, since expressions may test which name it has.
 */
export function missingColumns({ fields, aliases }: Mapping, has: RowView['has']): string[] {
  const presentAliases = new Set([...aliases].flatMap(([name, names]) => (has(name) ? names : [])));
  const missing = alternativesIn(fields).filter(
    (names) => !names.some((name) => has(name) || presentAliases.has(name)),
  );
  const found = new Set(missing.map(([name = '']) => listsAround(name).find((list) => !has(list)) ?? name));
  // A column is reported once, whichever of its names the mapping uses.
  const reported = [...aliases].flatMap(([name, names]) => (found.has(name) ? names : []));
  for (const name of reported) found.delete(name);
  return [...found];
}

/** Compares a field of an object only with fields of the same object. */
export function meantColumns(missing: readonly string[], unused: readonly string[]): Map<string, string> {
  return new Map(
    missing.flatMap((name) => {
      const prefix = name.slice(0, name.lastIndexOf('.') + 1);
      const siblings = unused
        .filter((each) => each.startsWith(prefix))
        .map((each) => each.slice(prefix.length));
      const near = nearest(name.slice(prefix.length), siblings);
      return near === undefined ? [] : [[name, prefix + near]];
    }),
  );
}

/** One line for each field (or the grouping) that no column of the file can fill. */
export function lackingColumns(
  mapping: Mapping,
  required: readonly string[],
  { find, unused }: RowView,
): string[] {
  const lines: string[] = [];
  const need = (names: readonly string[], what: string) => {
    if (names.some((name) => find(name) !== undefined)) return;
    const [hint = ''] = names.map((name) => didYouMean(name, unused())).filter((each) => each !== '');
    lines.push(`Missing: ${names.map((name) => `"${name}"`).join(' or ')}, ${what}.${hint}`);
  };
  for (const name of mapping.carry ?? []) need([name], 'whose value is carried down');
  for (const name of mapping.groupBy ?? []) need([name], 'by which rows belong together');
  if (mapping.keyBy !== undefined) need([mapping.keyBy], 'the key of each record');
  for (const { path, rule } of mapping.fields) {
    if (rule.kind !== 'value' || rule.source.kind === 'constant' || rule.default !== undefined) continue;
    if (!rule.required && !(path.length === 1 && required.includes(path[0] ?? ''))) continue;
    const names = sourceColumns(rule.source);
    if (names.length > 0) need(names, `for the field ${path.join('.')}`);
  }
  for (const field of required)
    if (!mapping.fields.some(({ path }) => path[0] === field))
      lines.push(`Missing: anything for the field ${field}.`);
  return lines;
}
