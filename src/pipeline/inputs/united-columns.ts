import { type Mapping, readsTable } from '../../map/index.ts';
import { ConfigError, type Row, type Table } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';

/** True if all tables have the same header, so that any mapping can read them together. */
export function haveOneHeader(tables: readonly Table[]): boolean {
  return tables.every(({ header }) => header.join('\n') === tables[0]?.header.join('\n'));
}

/**
 * Gives the tables of one run the same columns. If the mapping joins other files to its own, these are the columns of all
 * of them. Throws ConfigError if the mapping does not know one of the files.
 */
export function uniteTables(tables: readonly Table[], mapping: Mapping): readonly Table[] {
  if (haveOneHeader(tables)) return tables;
  if (!mapping.joined || !tables.every((table) => readsTable(mapping, table))) throw otherHeader(tables);
  if (tables.every((table) => readsTable(mapping, table) === 'joined'))
    throw new ConfigError(
      `None of these files is ${mapping.title}; they can only be read together with one.`,
      ['Name that file in the same command.'],
    );
  const header = unitedHeader(tables);
  return tables.map(({ file }) => ({ file, header }));
}

/** The error for files that no mapping reads together. */
export function otherHeader(tables: readonly Table[]): ConfigError {
  const [first] = tables;
  const other = tables.find((table) => first && !haveOneHeader([first, table]));
  return new ConfigError(`${other?.file} has other columns than ${first?.file}.`, [
    'Files that are imported together need the same header; import these one after the other.',
    'A mapping can say with joined which files with other columns belong together.',
  ]);
}

/** The columns of all tables, each once. A second column of the same name in a table remains a second column. */
function unitedHeader(tables: readonly Table[]): string[] {
  const header: string[] = [];
  for (const table of tables) {
    const places = placesIn(header, table.header);
    table.header.forEach((name, index) => {
      if (places[index] === -1) header.push(name);
    });
  }
  return header;
}

/** The index of each of `names` in a header; -1 if it is missing. */
function placesIn(header: readonly string[], names: readonly string[]): number[] {
  const taken = new Set<number>();
  return names.map((name) => {
    const place = header.findIndex((other, index) => other.trim() === name.trim() && !taken.has(index));
    if (place >= 0) taken.add(place);
    return place;
  });
}

/** Moves the cells of a source to their places in a united header. */
export function widen(source: Source, table: Table): Source {
  if (source.table.header === table.header || haveOneHeader([source.table, table])) return source;
  const places = placesIn(table.header, source.table.header);
  const width = source.table.header.length;
  const blank = table.header.map(() => '');
  const widened = (row: Row): Row => {
    const cells = [...blank];
    places.forEach((place, index) => {
      cells[place] = row.cells[index] ?? '';
    });
    return { ...row, table, cells: cells.concat(row.cells.slice(width)) };
  };
  async function* batches(): AsyncGenerator<Row[]> {
    for await (const rows of source.batches) yield rows.map(widened);
  }
  const { reread } = source;
  if (!reread) return { ...source, table, batches: batches() };
  const open = async () => widen(await reread.open(), table);
  return { ...source, table, batches: batches(), reread: { open } };
}
