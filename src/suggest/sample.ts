import type { ColumnCandidate } from './match/candidate.ts';
import { familiesIn } from './match/families.ts';
import type { Dictionary } from './names/dictionary.ts';
import { type NameReading, readName } from './names/read-name.ts';
import { wordsIn } from './names/tokens.ts';
import { commonNumberFormat } from './profile/formats.ts';
import { type CellProfile, profileCells, type SampleColumn } from './profile/profile.ts';

/** A column of the sample with its name read and its cells profiled. */
export interface ReadColumn extends ColumnCandidate {
  readonly cells: readonly string[];
}

/** Reads the names of columns and profiles their cells. `chosen`: the format of cells that can be read in two ways, and the currency of several. */
export function readSampleColumns(
  columns: readonly SampleColumn[],
  dictionary: Dictionary,
  chosen: Pick<CellProfile, 'numberFormat' | 'currency'> = {},
): ReadColumn[] {
  const { noise, parties } = firstWords(columns, dictionary);
  const profiles = columns.map(profileCells);
  const numberFormat = chosen.numberFormat ?? commonNumberFormat(profiles.map(figuresIn));
  return columns.map((column, position) => ({
    ...column,
    positions: [position],
    reading: readColumnName(column.name, dictionary, { noise, parties }),
    profile: { ...(profiles[position] as CellProfile), ...chosen, numberFormat },
  }));
}

/** A number between a currency and a unit. */
const FIGURE = /^\D{0,5}(\d[\d.,' ]*?)\s?\D{0,10}$/;

/** The numbers of a column; none if it has mostly other cells. */
function figuresIn({ filled }: CellProfile): string[] {
  const figures = filled.flatMap((cell) => FIGURE.exec(cell)?.[1] ?? []);
  return figures.length > 0.9 * filled.length ? figures : [];
}

/** A name that is known as it is, such as `post_name` or `Purchase Price`, keeps its first word. */
function readColumnName(name: string, dictionary: Dictionary, { noise, parties }: FirstWords): NameReading {
  const whole = readName(name, dictionary);
  if (whole.unknown.length > 0 && isOfParty(name, parties)) return OF_OTHERS;
  return whole.unknown.some((word) => noise.has(word)) ? readName(name, dictionary, noise) : whole;
}

/** The meaning of a column of another party: none. */
const OF_OTHERS: NameReading = { terms: [], unknown: ['another party'], numbers: [] };

/** True for a column of another party, such as `seller_id` beside `id`. */
export function isOfOthers({ reading }: ReadColumn): boolean {
  return reading === OF_OTHERS;
}

function isOfParty(name: string, parties: ReadonlySet<string>): boolean {
  const [first = '', ...rest] = wordsIn(name);
  return rest.length > 0 && parties.has(first);
}

/** Families of numbered columns in the order of their numbers, each as one candidate with the cells of all. */
export function readFamilies(columns: readonly ReadColumn[], dictionary: Dictionary): ColumnCandidate[] {
  const own = columns.filter((column) => !isOfOthers(column));
  return familiesIn(own.map(({ name }) => name)).map(({ pattern, numbers, positions }) => {
    const cells = positions.flatMap((position) => own[position]?.cells ?? []);
    const name = pattern.replace('{n}', ' ');
    return {
      name: pattern,
      numbers,
      positions: positions.flatMap((position) => own[position]?.positions ?? []),
      reading: readName(name, dictionary),
      profile: profileCells({ name: pattern, cells }),
    };
  });
}

/** Share of the names that begin with a word before it may say nothing. */
const SHARED = 0.15;

/** First words of several names that are in no dictionary. */
interface FirstWords {
  /** They say nothing: `post_title`, `post_content`. */
  readonly noise: ReadonlySet<string>;
  /** They set columns apart from others of the same meaning: `seller_name` beside `title`. */
  readonly parties: ReadonlySet<string>;
}

function firstWords(columns: readonly SampleColumn[], dictionary: Dictionary): FirstWords {
  const named = columns.map(({ name, cells }) => ({ words: wordsIn(name), cells }));
  const groups = new Map<string, { rest: string; cells: readonly string[] }[]>();
  for (const { words, cells } of named) {
    const [first = '', ...rest] = words;
    if (rest.length === 0 || dictionary.concepts(first)) continue;
    groups.set(first, [...(groups.get(first) ?? []), { rest: rest.join(' '), cells }]);
  }
  const noise = new Set<string>();
  const parties = new Set<string>();
  for (const [first, members] of groups) {
    // `opt1_name` and `opt2_name` are a family, and their word means something.
    if (members.length < 2 || members.some(({ rest }) => /^\d/.test(rest))) continue;
    const others = new Set(
      named.flatMap(({ words }) => (words[0] === first ? [] : [meaningOf(words.join(' '), dictionary)])),
    );
    const isTwin = ({ rest, cells }: (typeof members)[number]) =>
      others.has(meaningOf(rest, dictionary)) || (IDENTIFIES.has(rest) && repeats(cells));
    if (members.some(isTwin)) parties.add(first);
    else if (members.length >= 3 && members.length >= SHARED * columns.length) noise.add(first);
  }
  return { noise, parties };
}

/** Names behind a prefix that identify its thing: if one repeats, it is of another party than the row. */
const IDENTIFIES: ReadonlySet<string> = new Set(['id', 'name', 'code', 'number']);

function repeats(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length > 1 && new Set(filled).size < 0.5 * filled.length;
}

/** The meaning of a name as a text: names of two languages have the same. */
function meaningOf(name: string, dictionary: Dictionary): string {
  const { terms, unknown, numbers } = readName(name, dictionary);
  return JSON.stringify([terms.map(([first]) => (first === 'title' ? 'name' : first)), unknown, numbers]);
}
