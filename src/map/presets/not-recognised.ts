import { againHint, ConfigError, isOwnColumn, listedNames, type Table } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { createRowView, headerOf } from '../bind/row-view.ts';
import type { JoinedFile } from '../mapping.ts';
import { withFamilies } from '../rows/families.ts';
import { ID_COLUMN } from '../rows/own-columns.ts';
import { looksInObjects } from '../rows/used-columns.ts';
import { loadPreset } from './load.ts';
import type { NearlyNative } from './native.ts';
import type { PresetHead } from './preset-index.ts';

/** A preset, with the columns that a file lacks for it. */
export interface RankedPreset {
  readonly preset: PresetHead;
  readonly missing: readonly string[];
}

/** Facts about a file that no mapping reads. */
export interface RecognitionFacts {
  /** Top-level fields that a new payload must have. */
  readonly required: readonly string[];
  /** A field of the API that its objects have with another kind of value. */
  readonly misfit: string | undefined;
  readonly nearlyNative: NearlyNative | undefined;
  /** The nearest preset first. */
  readonly ranked: readonly RankedPreset[];
  /** Presets that read such a file only together with others. */
  readonly joined: readonly { readonly part: JoinedFile; readonly preset: PresetHead }[];
}

/** The error for a file that no mapping reads, with hints on what it may be. */
export function notRecognised(file: Table, resource: Resource, facts: RecognitionFacts): ConfigError {
  const { required, misfit, nearlyNative, ranked, joined } = facts;
  const fitsOther = ranked.find(({ missing }) => missing.length === 0)?.preset;
  const hints = hintsFor(file, resource, { ranked, joined, fitsOther });
  if (misfit !== undefined)
    return new ConfigError(
      `${file.file} has objects with the API's names, but "${misfit}" has another kind of value than in the API.`,
      [...hints, `Name a mapping with --mapping that converts "${misfit}".`],
    );
  if (nearlyNative !== undefined && fitsOther === undefined) {
    const { known, others, missing } = nearlyNative;
    return new ConfigError(
      `${file.file} has the API's own fields of ${resource.name} as columns, but none for ${missing.join(' and ')}, which each new record must have.`,
      [
        `The API's own fields: ${listedNames(known)}.${others.length > 0 ? ` Others: ${listedNames(others)}.` : ''}`,
        `Add or rename a column, or name a mapping with --mapping.${resource.update ? ` For updates a column ${ID_COLUMN} is enough.` : ''}`,
      ],
    );
  }
  const [what, names] = file.items ? ['objects', 'fields'] : ['a header', 'columns'];
  return new ConfigError(
    `${file.file} has ${what} that no mapping for ${resource.name} knows.`,
    [
      ...hints,
      `Its ${names}: ${listedNames(headerOf(file).header)}.`,
      `Name a mapping of your own with --mapping (docs/mappings.md says how to write one), or rename its ${names} to the API's own fields (${required.join(', ')}, …).`,
    ],
    'no-mapping',
  );
}

/** Hints on the preset that may be meant: as a part of several files, of another resource, or nearly. */
function hintsFor(
  file: Table,
  resource: Resource,
  {
    ranked,
    joined,
    fitsOther,
  }: Pick<RecognitionFacts, 'ranked' | 'joined'> & { fitsOther: PresetHead | undefined },
): string[] {
  if (joined.length > 0)
    return joined.map(
      ({ part, preset }) =>
        `It looks like ${part.title}: name it together with ${preset.title}, in one command.`,
    );
  if (fitsOther)
    return [
      `It looks like ${fitsOther.title}: ${fitsOther.resource}, and not ${resource.name}.`,
      ...againHint({}, { from: resource.name, to: fitsOther.resource }),
    ];
  return nearestIn(ranked, resource, file);
}

/**
 * Names the preset that is probably meant although the file lacks some of its columns. Names such as "name", "type" and
 * "price" occur on every platform, so the preset must also read most of the file's columns.
 */
function nearestIn(ranked: readonly RankedPreset[], resource: Resource, file: Table): string[] {
  const near = ranked.find(
    ({ preset, missing }) =>
      preset.resource === resource.name &&
      missing.length * 2 < preset.recognise.length &&
      readsMost(preset.name, file),
  );
  return near
    ? [`The nearest preset is ${near.preset.name}; for it the file lacks ${near.missing.join(' and ')}.`]
    : [];
}

/** True if a preset uses more than half of a file's columns. */
function readsMost(preset: string, file: Table): boolean {
  const mapping = loadPreset(preset);
  if (file.items === undefined && looksInObjects(mapping.fields)) return false;
  const names = headerOf(file).header.filter((name) => name.trim() !== '' && !isOwnColumn(name));
  const unused = new Set(createRowView(withFamilies(mapping, file), file).unused());
  return names.filter((name) => unused.has(name)).length * 2 < names.length;
}
