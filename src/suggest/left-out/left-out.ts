import { fold } from '../../map/index.ts';
import type { LeftOut, MappingDraft } from '../draft.ts';
import { type Role, type RoleMatch, rivals } from '../match/candidate.ts';
import type { ObjectList } from '../objects.ts';
import type { SampleColumn } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';

/** A column of a table beside the one that is read. */
export function ofOtherTable(column: SampleColumn): LeftOut {
  const why = 'an empty column sets it apart, as the column of another table';
  return { column: column.name, why, sample: sampleOf(column) };
}

/** A mapping cannot name a column whose name another column has too, also one of a table beside. */
export function byRepetition(columns: readonly SampleColumn[], beside: readonly SampleColumn[]) {
  const counts = new Map<string, SampleColumn[]>();
  for (const column of [...columns, ...beside]) {
    const name = fold(column.name);
    counts.set(name, [...(counts.get(name) ?? []), column]);
  }
  const unique = columns.filter(({ name }) => counts.get(fold(name))?.length === 1);
  const repeated = [...counts.values()].flatMap(([first, ...others]): LeftOut[] =>
    first && others.length > 0
      ? [{ column: first.name, why: `${others.length + 1} columns have this name`, sample: sampleOf(first) }]
      : [],
  );
  return { unique, repeated };
}

/** Filled columns that no rule, condition or comment of the mapping names, and fields of lists that it does not read. */
export function notUsedOf(
  columns: readonly ReadColumn[],
  lists: readonly ObjectList[],
  draft: MappingDraft,
): string[] {
  const left = new Set(draft.leftOut.flatMap(({ column }) => column.split(', ')));
  const used = new Set(draft.fields.flatMap(({ columns: own }) => own));
  const text = JSON.stringify({ ...draft, leftOut: [] });
  const isNamed = (name: string) =>
    left.has(name) ||
    used.has(name) ||
    draft.leftOut.some(({ why }) => why.startsWith(`${name} `)) ||
    [JSON.stringify(name), `\`${name}\``].some((each) => text.includes(each));
  const names = columns
    .filter(({ name, profile }) => profile.filled.length > 0 && !isNamed(name))
    .map(({ name }) => name);
  return [...names, ...lists.flatMap((list) => unusedFields(list, draft))];
}

/** Fields of a list that no rule about it reads, or the list itself if there is no such rule. */
function unusedFields({ path, columns, lists }: ObjectList, { fields, leftOut }: MappingDraft): string[] {
  const rules = fields.filter(({ rule, columns: own }) => {
    const text = JSON.stringify([rule, own]);
    return (
      text.includes(`"in":${JSON.stringify(path)}`) ||
      text.includes(`${path}[].`) ||
      text.includes(`${path}.`)
    );
  });
  if (rules.length === 0) return [path];
  const text = JSON.stringify([rules, leftOut.map(({ column }) => column)]);
  const isRead = (name: string) =>
    [`"${name}"`, `"${name}.`, `${path}[].${name}"`, `.${name}`].some((each) => text.includes(each));
  const filled = columns.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  return [...filled.map(({ name }) => name), ...lists.map((list) => list.path)]
    .filter((name) => !isRead(name))
    .map((name) => `${path}[].${name}`);
}

function sampleOf({ cells }: SampleColumn): string {
  return cells.find((cell) => cell.trim() !== '') ?? '';
}

/** Columns that are left out since another one with the same meaning is used, with the field that it is used for. */
export function secondChoices(
  columns: readonly ReadColumn[],
  roles: readonly Role[],
  found: readonly RoleMatch[],
  { fields, leftOut }: MappingDraft,
): LeftOut[] {
  const isKnown = (name: string) =>
    fields.some(({ columns: used }) => used.includes(name)) || leftOut.some(({ column }) => column === name);
  return rivals(columns, roles, found).flatMap(({ candidate: { name, profile }, taken }) => {
    const first = taken.candidate.name;
    const field = fields.find(({ columns: used }) => used.includes(first))?.field;
    if (field === undefined || isKnown(name)) return [];
    return [{ column: name, field, why: `${first} is used for it`, sample: profile.filled[0] ?? '' }];
  });
}
