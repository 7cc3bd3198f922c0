import type { FileBinding } from '../../map/index.ts';
import type { ReadFormat } from '../../model/index.ts';
import type { ImportInputs } from '../../pipeline/index.ts';

export function quotedName(name: string): string {
  return `"${name}"`;
}

/** Names the missing columns of a file, each with a similar one: `"Prise" (did you mean "Price"?)`. */
export function missingWords(
  { missing, similarUnused }: Pick<FileBinding, 'missing' | 'similarUnused'>,
  shown = quotedName,
): string[] {
  return missing.map((name) => {
    const near = similarUnused.get(name);
    return near === undefined ? shown(name) : `${shown(name)} (did you mean ${quotedName(near)}?)`;
  });
}

const MOST_NAMES = 6;

export function openedLines({ files, mapping, updatesById }: ImportInputs): string[] {
  const [first] = files;
  if (!first) return [];
  const { binding, source } = first;
  const lines = [
    ...readingLines(files),
    `Mapping: ${mapping.name}${mapping.title === mapping.name ? '' : ` (${mapping.title})`}.`,
  ];
  const noun = source.table.items ? 'field' : 'column';
  if (updatesById)
    lines.push(
      `The ${noun} "_id" is read as the store's identifiers: a row that has one updates that record. If these are another system's, use --mode create, or rename the ${noun}.`,
    );
  const missing = names(missingWords(binding), noun);
  if (missing !== '')
    lines.push(
      source.table.items
        ? `Its first objects lack ${missing}: fields mapped from there stay empty, unless later ones have it.`
        : `The file lacks ${missing}: fields mapped from there stay empty.`,
    );
  if (missing !== '') lines.push(...(source.suggestion?.() ?? []));
  if (binding.unused.length > 0)
    lines.push(`Not used by the mapping: ${names(binding.unused.map(quotedName), noun)}.`);
  return lines;
}

/** Describes the formats of the files. Files of the same format share a line. */
function readingLines(inputs: ImportInputs['files']): string[] {
  const files = new Map<string, string[]>();
  for (const { source } of inputs) {
    const { table } = source;
    const words = readingWords(source.reading(), table.header.length);
    const alike = files.get(words) ?? [];
    files.set(words, alike);
    alike.push(table.file);
  }
  return [...files].map(([words, alike]) => `Reading ${alike.join(', ')}: ${words}.`);
}

const FORMAT_WORDS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON' } as const;

/** `CSV in windows-1252 (guessed: set --encoding if it is wrong), delimiter ";", 12 columns` */
function readingWords(reading: ReadFormat, columns: number): string {
  const { format, packed, encoding, guessed, rival, delimiter, quote, list } = reading;
  const { skippedLines = 0, noHeader, paddedRows } = reading;
  return [
    format === 'xlsx'
      ? sheetWords(reading)
      : `${packed ? 'gzipped ' : ''}${FORMAT_WORDS[format]} in ${encoding}${guessed ? ` (guessed${rival === undefined ? '' : `, and may be ${rival}`}: set --encoding if it is wrong)` : ''}`,
    ...(delimiter === undefined ? [] : [`delimiter ${JSON.stringify(delimiter)}`]),
    ...(quote === undefined || quote === '"' ? [] : [quote === '' ? 'no quotes' : `quote ${quote}`]),
    ...(list === undefined ? [] : [`the list "${list}"`]),
    ...(format === 'csv' || format === 'xlsx' ? [`${columns} columns`] : []),
    ...(skippedLines > 0
      ? [`without the first ${skippedLines === 1 ? 'line' : `${skippedLines} lines`}`]
      : []),
    ...(noHeader ? ['no header'] : []),
    ...(paddedRows ? ['missing cells are empty'] : []),
  ].join(', ');
}

/** `Excel workbook, sheet "Products" (others: "Stock", "Notes"; --sheet reads one of them)` */
function sheetWords({ sheet = '', otherSheets = [] }: ReadFormat): string {
  const more = otherSheets.length - MOST_NAMES;
  const others = otherSheets.slice(0, MOST_NAMES).map(quotedName).join(', ');
  const note = `${others}${more > 0 ? ` and ${more} more` : ''}; --sheet reads another`;
  return `Excel workbook, sheet ${quotedName(sheet)}${others === '' ? '' : ` (besides ${note})`}`;
}

function names(all: readonly string[], noun: string): string {
  const shown = all.slice(0, MOST_NAMES).join(', ');
  const more = all.length - MOST_NAMES;
  return more > 0 ? `${shown} and ${more} more ${noun}${more === 1 ? '' : 's'}` : shown;
}
