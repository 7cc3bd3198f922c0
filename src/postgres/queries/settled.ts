import {
  type EndingLine,
  endingIn,
  fileAt,
  JUST_CREATED,
  type RecordLine,
  type SequelLine,
  sequelIn,
  settledIn,
  withSequels,
  withUnwritten,
} from '../../ledger/engine.ts';
import type { RecordResult, RecordResultStub } from '../../model/index.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { loadedLine } from '../text.ts';
import { tablesOfRun } from './runs.ts';

/**
 * Records of one page. Joins are `lateral` with a limit of 1, so that Postgres searches the key of each line, also before it
 * has statistics: it would else read tables as a whole for each page.
 */
const SETTLED_PAGE = 1000;
/** Their lines are short. */
const ENDINGS_PAGE = 5000;

/**
 * Reads the settled records of a run in source order, with the rows to return. A record that was imported again in a later
 * run has the outcome of that run. `unwritten`: outcomes that could not be written, in source order.
 */
export async function* settledPages(
  sql: Sql,
  run: number,
  seal: RowSeal,
  unwritten: readonly RecordResult[] = [],
): AsyncGenerator<RecordResult[]> {
  const { files, header } = await tablesOfRun(sql, run);
  const settled = settledIn(files);
  const sequels = sequelsAfter(sql, run, header, seal);
  let rest = unwritten;
  const settledLines = (sql: Sql, part: SeqRange) => settledBetween(sql, part, seal);
  for await (const lines of seqPages(sql, 'record', run, SETTLED_PAGE, settledLines)) {
    const { seq: last } = lines.at(-1) as RecordLine;
    const count = rest.findIndex(({ seq }) => seq > last);
    const due = count < 0 ? rest : rest.slice(0, count);
    rest = rest.slice(due.length);
    const records = withUnwritten(
      lines.map((line) => settled(withoutPlainFile(line))),
      due,
    );
    yield [...withSequels(records, await sequels(last))];
  }
  if (rest.length > 0) yield [...withSequels(rest, await sequels(LAST_SEQ))];
}

/** Reads only the outcomes, without rows, so that no key is needed. */
export async function* endingsPages(sql: Sql, run: number): AsyncGenerator<RecordResultStub[]> {
  const { files, header } = await tablesOfRun(sql, run);
  const ending = endingIn(files);
  const sequels = sequelsAfter(sql, run, header, undefined);
  for await (const lines of seqPages(sql, 'record', run, ENDINGS_PAGE, endingsBetween)) {
    const { seq: last } = lines.at(-1) as Ending;
    const later = await sequels(last);
    const plain = lines.filter(({ is_plain }) => is_plain);
    const others = lines.filter(({ is_plain }) => !is_plain).map(ending);
    yield [
      ...plain.map(({ seq, row, file, key }) => ({
        seq,
        row,
        file: fileAt(files, file),
        key,
        outcome: JUST_CREATED,
      })),
      ...withSequels(others, later),
    ];
  }
}

/** The largest number of a record. */
const LAST_SEQ = 2 ** 31 - 1;

/** Created, with nothing more to say: nearly all records. */
const PLAIN = `outcome = 'created' and code is null and field is null and message is null`;

/** In SQLite, reading the file of each such record would take too long, and nothing uses it. */
function withoutPlainFile(line: RecordLine): RecordLine {
  const { outcome, code, field, message } = line;
  const isPlain = outcome === 'created' && code === null && field === null && message === null;
  return isPlain ? { ...line, file: null } : line;
}

async function settledBetween(sql: Sql, part: SeqRange, seal: RowSeal): Promise<RecordLine[]> {
  const lines = await sql.query<RecordLine>(
    `
    select record.seq, row, file, key, outcome, id, http_status, attempts, duration_ms, code, field, message, kept.rows,
      kept.kinds
    from record left join lateral (
      select rows, kinds from kept where kept.run = record.run and kept.seq = record.seq limit 1
    ) as kept on true
    where record.run = $1 and record.seq between $2 and $3 order by record.seq`,
    part,
  );
  return lines.map((line) => openedRows(loadedRecord(line), seal));
}

/** Decrypts the rows of a line. Null if it has none, or if they cannot be read any more. */
export function openedRows<Line extends { readonly rows: string | null }>(
  line: Line,
  seal: RowSeal | undefined,
): Line {
  return line.rows === null ? line : { ...line, rows: seal?.open(line.rows) ?? null };
}

/** Undoes `storedText` in a line of `record`. */
export function loadedRecord<Line extends Pick<RecordLine, 'key'> & Partial<RecordLine>>(line: Line): Line {
  return loadedLine(line, ['key', 'id', 'code', 'field', 'message']);
}

type Ending = EndingLine & { readonly is_plain: boolean };

async function endingsBetween(sql: Sql, part: SeqRange): Promise<Ending[]> {
  const lines = await sql.query<Ending>(
    `
    select seq, row, file, key, outcome, id, code, ${PLAIN} as is_plain
    from record where run = $1 and seq between $2 and $3 order by seq`,
    part,
  );
  return lines.map(loadedRecord);
}

/**
 * Reads the records of a run that were imported again, part by part: each call returns those up to a record, after those
 * of the call before. Without `seal`, they have no rows.
 */
function sequelsAfter(
  sql: Sql,
  run: number,
  header: readonly string[],
  seal: RowSeal | undefined,
): (seq: number) => Promise<Iterator<RecordResult, undefined>> {
  const sequelOf = sequelIn(header);
  let last = -1;
  return async (seq) => {
    const lines = await sql.query<SequelLine>(
      `
      select sequel.seq, key, outcome, record.id, http_status, attempts, duration_ms, code, field, message, kept.rows,
        kept.kinds, by_run, by_seq, run.id as run, run.header
      from sequel
        cross join lateral (select * from record where record.run = by_run and record.seq = by_seq limit 1) as record
        join run on run.number = by_run
        left join lateral (select rows, kinds from kept where kept.run = by_run and kept.seq = by_seq limit 1) as kept
          on true
      where sequel.run = $1 and sequel.seq > $2 and sequel.seq <= $3 order by sequel.seq`,
      [run, last, seq],
    );
    last = seq;
    return lines.map((line) => sequelOf(openedRows(loadedRecord(line), seal))).values();
  };
}

/** Values of a statement about a part of a run: its number, the first record and the last one. */
export type SeqRange = readonly [run: number, from: number, to: number];

/**
 * Reads a run in parts of `size` numbers, in source order. Each statement has both ends of its part: with a limit only,
 * Postgres without statistics sorts the rest of the run for each page. Parts without a line are left out.
 */
export async function* seqPages<Each>(
  sql: Sql,
  table: 'record' | 'kept',
  run: number,
  size: number,
  linesIn: (sql: Sql, part: SeqRange) => Promise<Each[]>,
): AsyncGenerator<Each[]> {
  const [last] = await sql.query<{ seq: number }>(
    `select seq from ${table} where run = $1 order by seq desc limit 1`,
    [run],
  );
  if (!last) return;
  for (let from = 0; from <= last.seq; from += size) {
    const lines = await linesIn(sql, [run, from, from + size - 1]);
    if (lines.length > 0) yield lines;
  }
}
