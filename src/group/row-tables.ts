import { type Issue, originOf, type Row, type RowLink, type RowLinks, type Table } from '../model/index.ts';
import { createRecordSize } from './record-limit.ts';
import { RESOLVE, TABLES } from './statements.ts';
import { onDisk, openTemporaryTables, readingRows } from './temporary-tables.ts';

/**
 * Keeps rows on disk until all are known, each with its home: the text that the rows of its record share, or the number
 * of the row that it is part of. Rows are numbered in the order in which they are added.
 */
export interface RowTables {
  /** Adds the next row. A row without a home is a home of its own. */
  add(row: Row, home?: string): void;
  /** Adds a row that names the row it is part of, or its own parts. */
  addLinks(row: Row, links: RowLinks): void;
  /** Assigns the home to the `count` rows before the last one. */
  joinLast(count: number, home: string): void;
  /**
   * Returns the records, by their first row, each with all its rows. No row can be added afterwards. Throws RunStopped at a
   * record that is too large to hold.
   */
  records(): Generator<StoredRecord>;
  /** Returns all rows in the order they were added. Can be called repeatedly; no row can be added afterwards. */
  rows(): Generator<Row>;
  readonly count: number;
  close(): void;
}

export interface StoredRecord {
  /** In the order in which they were added. */
  readonly rows: readonly Row[];
  /** The row that the others are part of; undefined if they share a key. */
  readonly lead: Row | undefined;
  readonly issues: readonly Issue[];
}

/** Rows inserted by one statement: a call into SQLite costs more than a row. */
const BATCH = 64;

/** `sharesParts`: a row may be part of several others, and is then in the record of each. */
export function openRowTables(folder: string, sharesParts = false): RowTables {
  const { database, close } = openTemporaryTables(folder);
  const tables: Table[] = [];
  const places = new Map<Table, number>();
  let count = 0;
  onDisk(folder, () => database.exec(`begin; ${TABLES}`));

  const inserts = (table: string, width: number) => {
    const place = `(${Array(width).fill('?').join(', ')})`;
    const sql = (rows: number) => `insert into ${table} values ${Array(rows).fill(place).join(', ')}`;
    const many = database.prepare(sql(BATCH));
    let values: (string | number | null)[] = [];
    const flush = () => {
      if (values.length === 0) return;
      const whole = values.length === BATCH * width;
      onDisk(folder, () => (whole ? many : database.prepare(sql(values.length / width))).run(values));
      values = [];
    };
    return {
      add(...row: (string | number | null)[]) {
        values.push(...row);
        if (values.length === BATCH * width) flush();
      },
      flush,
    };
  };
  const rowsOf = inserts('row', 3);
  const names = inserts('name', 2);
  const parents = inserts('part', 5);
  const claims = inserts('claim', 3);
  let hasLinks = false;
  let hasShared = false;

  /** Serialises a row without its table, which all rows of a file share. */
  function pack(row: Row): string {
    const { table } = row;
    let place = places.get(table);
    if (place === undefined) {
      place = tables.push(table) - 1;
      places.set(table, place);
    }
    const packed: PackedRow = { ...row, table: place, cells: packCells(row.cells) };
    return JSON.stringify(packed);
  }
  function unpack(packed: string): Row {
    const row = JSON.parse(packed) as PackedRow;
    return { ...row, table: tables[row.table] as Table, cells: unpackCells(row.cells) };
  }

  function add(row: Row, home?: string): number {
    const number = ++count;
    rowsOf.add(number, home ?? number, pack(row));
    return number;
  }

  function resolve(): void {
    for (const each of [rowsOf, names, parents, claims]) each.flush();
    const linkSql = hasLinks ? RESOLVE.links(sharesParts) : '';
    onDisk(folder, () => database.exec(`${linkSql} ${RESOLVE.records}`));
    hasShared = hasLinks && sharesParts && database.prepare('select 1 from shared').get() !== undefined;
    if (hasShared) onDisk(folder, () => database.exec(RESOLVE.members));
  }

  function* inOrder(): Generator<StoredRecord> {
    const issuesOf = issueReader();
    const size = createRecordSize();
    let rows: Row[] = [];
    let lead: Row | undefined;
    let home: Line['home'] | undefined;
    const record = () => ({ rows, lead, issues: lead ? issuesOf(lead, home) : [] });
    const lines = database.prepare(hasShared ? RESOLVE.membersInOrder : RESOLVE.inOrder);
    for (const line of lines.iterate() as Iterable<Line>) {
      if (rows.length > 0 && line.home !== home) {
        yield record();
        rows = [];
        lead = undefined;
      }
      home = line.home;
      const own = unpack(line.packed);
      const row = line.shared === 0 ? own : { ...own, shared: true as const };
      if (rows.length === 0) size.begin(row);
      else size.add(row);
      rows.push(row);
      if (hasLinks && line.number === line.home) lead = row;
    }
    if (rows.length > 0) yield record();
  }

  /**
   * Reads the issues about references between rows, for the row that the others are part of. Must be called in the
   * order of the records, which is also the order of the issues: one query for each lead would need far more memory.
   */
  function issueReader(): (lead: Row, number: Line['home'] | undefined) => Issue[] {
    if (!hasLinks) return () => [];
    const lines = (database.prepare(RESOLVE.issues).iterate() as Iterable<IssueLine>)[Symbol.iterator]();
    let next = lines.next();
    return (lead, number) => {
      const issues: Issue[] = [];
      for (; !next.done && next.value.number === number; next = lines.next()) {
        const { kind, name, field, other } = next.value;
        const link = { name, column: field ?? undefined };
        const where = other === null ? '' : placeBeside(lead, unpack(other));
        issues.push({ ...linkIssue(kind, link, where), origin: originOf(lead) });
      }
      return issues;
    };
  }

  function* asAdded(): Generator<Row> {
    rowsOf.flush();
    const lines = database.prepare(RESOLVE.asAdded).iterate() as Iterable<Pick<Line, 'packed'>>;
    for (const { packed } of lines) yield unpack(packed);
  }

  return {
    add,
    addLinks(row, { names: own, parent, parts, issues }) {
      const found = issues.length === 0 ? row : { ...row, issues: [...(row.issues ?? []), ...issues] };
      const number = add(found);
      hasLinks = true;
      if (parent) {
        const isOwn = own.includes(parent.name) ? 1 : 0;
        parents.add(number, parent.name, parent.column ?? null, JSON.stringify(own), isOwn);
      } else for (const name of new Set(own)) names.add(name, number);
      for (const { name, column } of parts) claims.add(number, name, column ?? null);
    },
    joinLast(before, home) {
      rowsOf.flush();
      const join = database.prepare('update row set home = ? where number >= ? and number < ?');
      onDisk(folder, () => join.run(home, count - before, count));
    },
    *records() {
      resolve();
      yield* readingRows(folder, inOrder());
    },
    rows: () => readingRows(folder, asAdded()),
    get count() {
      return count;
    },
    close,
  };
}

interface PackedRow extends Omit<Row, 'table' | 'cells'> {
  readonly table: number;
  readonly cells: PackedCells;
}

/**
 * All cells as one text. From a list of texts, JSON.parse would put each short one into a table of V8 that only full
 * collections clear.
 */
interface PackedCells {
  readonly text: string;
  readonly lengths: readonly number[];
}

function packCells(cells: readonly string[]): PackedCells {
  return { text: cells.join(''), lengths: cells.map(({ length }) => length) };
}

function unpackCells({ text, lengths }: PackedCells): string[] {
  let end = 0;
  return lengths.map((length) => {
    const start = end;
    end += length;
    return text.slice(start, end);
  });
}

interface Line {
  readonly number: number;
  readonly home: number | string;
  readonly packed: string;
  /** 1 for a row that is in several records. */
  readonly shared: number;
}

interface IssueLine {
  readonly number: number;
  readonly kind: LinkFaultKind;
  readonly name: string;
  readonly field: string | null;
  /** The row that the message names, packed. */
  readonly other: string | null;
}

interface LinkFault {
  readonly code: string;
  readonly words: (name: string, other: string) => string;
}

type LinkFaultKind = keyof typeof FAULTS;

const FAULTS = {
  'no-parent': {
    code: 'no-parent',
    words: (name) => `it belongs to "${name}", and no row has that name: correct the name, or add that row`,
  },
  'own-name': {
    code: 'no-parent',
    words: (name) =>
      `it belongs to "${name}", which is its own name: correct the name, or add the row that it belongs to`,
  },
  circle: {
    code: 'part-of-itself',
    words: (name) =>
      `it belongs to "${name}", and from there the rows refer to each other in a circle: correct one of the names`,
  },
  'part-of-part': {
    code: 'part-of-itself',
    words: (name, other) =>
      `"${name}" is listed as a part of ${other}, which belongs to it: keep one of the two`,
  },
  'no-part': {
    code: 'no-part',
    words: (name) =>
      `"${name}" is listed as a part of it, and no row has that name: correct the name, or add that row`,
  },
  'part-of-two': {
    code: 'part-of-two',
    words: (name, other) => `"${name}" is a part of ${other} as well: keep it in one of the two`,
  },
  'part-elsewhere': {
    code: 'part-of-two',
    words: (name, other) =>
      `"${name}" (${other}) is listed as a part of it, and itself names another row: correct one of the two`,
  },
  'part-with-parts': {
    code: 'part-with-parts',
    words: (name, other) => `"${name}" (${other}) is listed as a part of it, and has parts of its own`,
  },
} as const satisfies Readonly<Record<string, LinkFault>>;

function linkIssue(kind: LinkFaultKind, { name, column }: RowLink, otherPlace: string): Issue {
  const { code, words }: LinkFault = FAULTS[kind];
  return { code, message: words(name, otherPlace), ...(column === undefined ? {} : { column }) };
}

/** `row 7`, or `row 7 of b.csv` if the other row is in another file. */
function placeBeside(row: Row, other: Row): string {
  return `row ${other.row}${other.table === row.table ? '' : ` of ${other.table.file}`}`;
}
