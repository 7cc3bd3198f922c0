import type { ColumnCandidate } from '../../match/candidate.ts';
import { listOfAddresses } from '../../profile/lists.ts';
import { pairsIn } from '../../profile/pairs.ts';
import type { GroupingGuess } from '../../structure/grouping.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';

/** Pictures: columns with one, columns with a list of them, and numbered columns. */
export function addImages(notes: Notes, byRole: MatchesByRole, grouping: GroupingGuess): void {
  const all = byRole('images');
  const found = all.filter(
    ({ candidate }, n) => !all.some((other, m) => repeats(candidate, other.candidate, m < n)),
  );
  if (found.length === 0) return;
  for (const match of all)
    if (!found.includes(match)) notes.leave(match.candidate, 'another column has the same images');
  const [alt] = byRole('alt');
  const lists = [...found]
    .sort((a, b) => (a.candidate.positions[0] ?? 0) - (b.candidate.positions[0] ?? 0))
    .flatMap(({ candidate }) => imageLists(candidate, alt?.candidate, grouping));
  const isTitled = lists.some(({ fields }) => Object.hasOwn(fields as object, 'title'));
  notes.add('images', lists.length === 1 ? lists[0] : lists, {
    candidates: [...found.map(({ candidate }) => candidate), ...(alt && isTitled ? [alt.candidate] : [])],
    score: Math.min(...found.map(({ score }) => score)),
  });
}

/**
 * True if each picture of a column is in the same row of another one, such as those of a small size with the same file. Of equal
 * columns, the first is kept.
 */
function repeats({ cells }: ColumnCandidate, other: ColumnCandidate, isBefore: boolean): boolean {
  if (cells === undefined || other.cells === undefined || cells === other.cells) return false;
  const holds = (own: string, cell: string) =>
    own.trim() === '' || [cell, ...cell.split(/[,;|]/)].some((part) => part.trim() === own.trim());
  if (!cells.every((cell, row) => holds(cell, other.cells?.[row] ?? ''))) return false;
  return isBefore || !other.cells.every((cell, row) => holds(cell, cells[row] ?? ''));
}

/** The lists of one column or family: of a family one for each column, if the rows of a product have several pictures each. */
function imageLists(
  candidate: ColumnCandidate,
  alt: ColumnCandidate | undefined,
  grouping: GroupingGuess,
): Record<string, unknown>[] {
  const { numbers } = candidate;
  if (!numbers || grouping.kind !== 'key') return [imageList(candidate, alt, grouping)];
  return numbers.map((number) =>
    imageList(
      numbered(candidate, number),
      alt?.numbers?.includes(number) ? numbered(alt, number) : undefined,
      grouping,
    ),
  );
}

/** One column of a family. */
function numbered({ numbers, ...family }: ColumnCandidate, number: string): ColumnCandidate {
  return { ...family, name: family.name.replace('{n}', number) };
}

/** The list of one column or family. Files without an address get that of the option `--image-base`. */
function imageList(
  candidate: ColumnCandidate,
  alt: ColumnCandidate | undefined,
  grouping: GroupingGuess,
): Record<string, unknown> {
  const { name, numbers, profile } = candidate;
  const isPath = profile.filled.some((cell) => !/^["[]?(https?:)?\/\//i.test(cell));
  const url = isPath ? { url: true } : {};
  const src = (from: string) => (isPath ? { from, ...url } : from);
  const common = { needs: 'src', unique: 'src' };
  if (numbers)
    return {
      each: { n: numbers.map(Number) },
      ...common,
      fields: { src: src(name), ...titleOf(alt, candidate) },
    };
  const pairs = pairsIn(profile.filled);
  const key =
    pairs &&
    [...pairs.values].find(([, values]) => values.every((value) => /^(https?:)?\/\//i.test(value)))?.[0];
  if (pairs && key !== undefined) {
    const { split, between, equals } = pairs;
    const image = { from: name, ...(split === undefined ? {} : { split }), pairs: { between, equals } };
    return { each: { image }, ...common, fields: { src: `{image.${key}}` } };
  }
  const list = listOfAddresses(profile.filled);
  if (list) {
    const cut = 'json' in list ? { json: true } : { split: list.by };
    const lead = grouping.kind === 'rows' ? {} : { across: 'join' };
    return {
      each: { image: { from: name, ...('json' in list ? {} : lead), ...cut } },
      ...common,
      fields: { src: src('{image}') },
    };
  }
  return { each: 'row', ...common, fields: { src: src(name), ...titleOf(alt, candidate) } };
}

/** The text of a picture: the column must be of the same kind, so that each text belongs to one picture. */
function titleOf(alt: ColumnCandidate | undefined, image: ColumnCandidate): Record<string, unknown> {
  return alt && (alt.numbers === undefined) === (image.numbers === undefined) ? { title: alt.name } : {};
}
