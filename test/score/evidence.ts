import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { columnsIn, loadPreset, type Mapping, presetIndex } from '../../src/map/index.ts';
import { type FileSample, sampledFileOf } from '../../src/pipeline/suggest/sample.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { wordsIn } from '../../src/suggest/names/tokens.ts';
import type { Words } from '../../src/suggest/words/concepts.ts';
import { platformOfName } from './platforms.ts';

export type Languages = Readonly<Record<string, Words>>;

/** Names of columns by platform. */
export type PlatformColumns = Map<string, Set<string>>;

/** The columns of our presets and samples. The store's own names are a platform too: `native`. */
export function columnsOfProject(): PlatformColumns {
  const found: PlatformColumns = new Map();
  for (const { name } of presetIndex())
    addColumns(found, platformOfName(name), columnsOfMapping(loadPreset(name)));
  const samples = readdirSync('samples').filter((name) => name.endsWith('.csv') && name !== 'hostile.csv');
  for (const name of samples) addColumns(found, platformOfName(name), headerOf(`samples/${name}`));
  return found;
}

export function addColumns(found: PlatformColumns, platform: string, names: Iterable<string>): void {
  const columns = found.get(platform) ?? new Set();
  found.set(platform, columns);
  for (const name of names) columns.add(name);
}

function columnsOfMapping({ fields, aliases, recognise, joined = [], groupBy = [] }: Mapping): string[] {
  const headers = [recognise, ...joined.map((file) => file.recognise)];
  return [
    ...columnsIn(fields),
    ...[...aliases].flatMap(([name, others]) => [name, ...others]),
    ...headers.flat(2),
    ...groupBy,
  ];
}

function headerOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const [line = ''] = text.split('\n', 1);
  const delimiter = line.split(';').length > line.split(',').length ? ';' : ',';
  const [header = []] = parse(text, { bom: true, delimiter, toLine: 1, relax_quotes: true }) as string[][];
  return header;
}

/** The columns of a sample, and of the lists in its objects. */
export function columnsOfSample(sample: FileSample): string[] {
  const { columns, lists = [] } = sampledFileOf(sample);
  return [columns, ...lists.map((list) => list.columns)]
    .flat()
    .map(({ name }) => name)
    .concat(lists.map(({ path }) => path));
}

/**
 * The platforms in whose columns each entry of the word lists occurs: its words one behind another among those of a name, or as
 * a part of a compound. Entries are spelled as the dictionary folds them.
 */
export function evidenceFor(languages: Languages, columns: PlatformColumns): Map<string, Set<string>> {
  const dictionary = createDictionary(languages);
  const found = new Map<string, Set<string>>();
  for (const [platform, names] of columns)
    for (const name of names) {
      const words = wordsIn(name);
      const entries = words.flatMap((word, at) => {
        const phrases = dictionary
          .phrasesFrom(word)
          .filter((phrase) => phrase.words.every((each, n) => words[at + n] === each))
          .map((phrase) => phrase.words.join(' '));
        return dictionary.concepts(word) ? phrases : [...phrases, ...(dictionary.cut(word) ?? [])];
      });
      for (const entry of entries) found.set(entry, (found.get(entry) ?? new Set()).add(platform));
    }
  return found;
}
