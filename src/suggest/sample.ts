import type { ColumnCandidate } from './match/candidate.ts';
import { familiesIn } from './match/families.ts';
import type { Dictionary } from './names/dictionary.ts';
import { readName } from './names/read-name.ts';
import { wordsIn } from './names/tokens.ts';
import { profileCells, type SampleColumn } from './profile/profile.ts';

/** A column of the sample with its name read and its cells profiled. */
export interface ReadColumn extends ColumnCandidate {
  readonly cells: readonly string[];
}

/** Reads the names of columns and profiles their cells. */
export function readSampleColumns(columns: readonly SampleColumn[], dictionary: Dictionary): ReadColumn[] {
  const noise = sharedPrefix(
    columns.map(({ name }) => name),
    dictionary,
  );
  return columns.map((column, position) => ({
    ...column,
    positions: [position],
    reading: readName(column.name, dictionary, noise),
    profile: profileCells(column),
  }));
}

/** Families of numbered columns, each as one candidate with the cells of all. */
export function readFamilies(columns: readonly ReadColumn[], dictionary: Dictionary): ColumnCandidate[] {
  return familiesIn(columns.map(({ name }) => name)).map(({ pattern, numbers, positions }) => {
    const cells = positions.flatMap((position) => columns[position]?.cells ?? []);
    const name = pattern.replace('{n}', ' ');
    return {
      name: pattern,
      numbers,
      positions,
      reading: readName(name, dictionary),
      profile: profileCells({ name: pattern, cells }),
    };
  });
}

/** First words that most names share, such as `post_title`, `post_content`: they say nothing. */
function sharedPrefix(names: readonly string[], dictionary: Dictionary): ReadonlySet<string> {
  const firsts = names
    .map((name) => wordsIn(name))
    .filter((words) => words.length > 1)
    .map(([first = '']) => first);
  const counts = new Map<string, number>();
  for (const first of firsts) counts.set(first, (counts.get(first) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(([first, count]) => count >= 3 && count >= 0.15 * names.length && !dictionary.concepts(first))
      .map(([first]) => first),
  );
}
