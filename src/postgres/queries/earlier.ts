import {
  type CurrentLine,
  type EarlierLine,
  type EarlierPlace,
  type EarlierRecord,
  type EarlierRun,
  earlierRecordOf,
  mostSimilar,
  NEAR,
  type RecordTarget,
  type SourceFile,
  type StoreHistory,
} from '../../ledger/engine.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { loadedLine, storedText } from '../text.ts';
import { openedRows } from './settled.ts';

/** The index `record_open` has the same condition, word for word. */
const OPEN = `outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt')`;

/** Places that are searched at the same time. */
const PLACES = 100;

type Run = Pick<EarlierRun, 'number' | 'files' | 'header'>;

/** A place in a run that is known here. */
interface Search extends EarlierPlace {
  readonly among: Run;
  /** The record that was found. */
  line?: EarlierLine | undefined;
}

/** Searches the runs for one store and resource; rows of other runs have no meaning there. */
export function findEarlierIn(sql: Sql, target: RecordTarget, seal: RowSeal): StoreHistory['findEarlier'] {
  const runs = new Map<string, Run | undefined>();

  async function findSome(places: readonly EarlierPlace[]): Promise<(EarlierRecord | undefined)[]> {
    await readRuns(sql, target, places, runs);
    const searches = places.map((place): Search | undefined => {
      const among = runs.get(place.run);
      return among && { ...place, among };
    });
    const known = searches.filter((search) => search !== undefined);
    await findOpen(sql, known, seal);
    await findComplete(
      sql,
      known.filter(({ line }) => line === undefined),
    );
    const current = await currentOf(sql, known);
    return searches.map(
      (search) =>
        search?.line && earlierRecordOf(search.run, search.among, search.line, current.get(refText(search))),
    );
  }

  return async (places) => {
    const found: (EarlierRecord | undefined)[] = [];
    for (let at = 0; at < places.length; at += PLACES)
      found.push(...(await findSome(places.slice(at, at + PLACES))));
    return found;
  };
}

/** Adds runs that are not known yet. */
async function readRuns(
  sql: Sql,
  { store, resource }: RecordTarget,
  places: readonly EarlierPlace[],
  runs: Map<string, Run | undefined>,
): Promise<void> {
  const ids = [...new Set(places.map(({ run }) => run))].filter((id) => !runs.has(id));
  if (ids.length === 0) return;
  for (const id of ids) runs.set(id, undefined);
  const lines = await sql.query<{ id: string; number: number; files: string; header: string }>(
    `
    select id, number, files, header from run
    where id = any ($1) and store = $2 and resource = $3 and remembered`,
    [ids.map(storedText), store, resource],
  );
  for (const { id, number, files, header } of lines)
    runs.set(id, {
      number,
      files: JSON.parse(files) as SourceFile[],
      header: JSON.parse(header) as string[],
    });
}

type Numbered<Line> = Line & { readonly at: number };

/** Finds incomplete records, which have their rows. */
async function findOpen(sql: Sql, searches: readonly Search[], seal: RowSeal): Promise<void> {
  const lines = await sql.query<Numbered<EarlierLine>>(
    `
    select wanted.at::integer, open.seq, open.row, open.outcome, open.code, open.field, open.message, kept.rows
    from unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as wanted (run, row, near, at)
      cross join lateral (
        select record.run, record.seq, record.row, outcome, code, field, message from record
        where record.run = wanted.run and record.row <= wanted.row and ${OPEN}
        order by record.row desc limit wanted.near
      ) as open
      cross join lateral (select rows from kept where kept.run = open.run and kept.seq = open.seq limit 1) as kept
    order by wanted.at, open.row desc`,
    [
      searches.map(({ among }) => among.number),
      searches.map(({ row }) => row),
      searches.map(({ among }) => (among.files.length > 1 ? NEAR : 1)),
    ],
  );
  const candidates = searches.map((): EarlierLine[] => []);
  for (const line of lines) candidates[line.at - 1]?.push(openedRows(withoutNumber(line), seal));
  searches.forEach((search, index) => {
    search.line = mostSimilar(candidates[index] ?? [], search.row, search.cells);
  });
}

function withoutNumber({ at: _, ...line }: Numbered<EarlierLine>): EarlierLine {
  return loadedLine(line, ['code', 'field', 'message']);
}

/** A complete record has no rows any more: finds the one that begins at the row, or before it. */
async function findComplete(sql: Sql, searches: readonly Search[]): Promise<void> {
  const single = searches.filter(({ among }) => among.files.length <= 1);
  const several = searches.filter(({ among }) => among.files.length > 1);
  const seqs = new Map([...(await bisect(sql, single)), ...(await findRows(sql, several))]);
  const found = [...seqs.keys()];
  if (found.length === 0) return;
  const lines = await sql.query<Numbered<EarlierLine>>(
    `
    select wanted.at::integer, record.seq, record.row, outcome, code, field, message, kept.rows
    from unnest($1::integer[], $2::integer[]) with ordinality as wanted (run, seq, at)
      cross join lateral (
        select * from record where record.run = wanted.run and record.seq = wanted.seq limit 1
      ) as record
      left join lateral (
        select rows from kept where kept.run = wanted.run and kept.seq = wanted.seq limit 1
      ) as kept on true`,
    [found.map(({ among }) => among.number), found.map((search) => seqs.get(search))],
  );
  for (const line of lines) {
    const search = found[line.at - 1];
    if (search && line.rows === null) search.line = withoutNumber(line);
  }
}

/**
 * Finds the last record that begins at each row or before it. In one file, row numbers grow with records. All places are
 * halved at once.
 */
async function bisect(sql: Sql, searches: readonly Search[]): Promise<Map<Search, number>> {
  const found = new Map<Search, number>();
  const numbers = [...new Set(searches.map(({ among }) => among.number))];
  const bounds = new Map(
    (
      await sql.query<{ run: number; first: number | null; last: number | null }>(
        `
        select run, (select seq from record where record.run = wanted.run order by seq limit 1) as first,
          (select seq from record where record.run = wanted.run order by seq desc limit 1) as last
        from unnest($1::integer[]) as wanted (run)`,
        [numbers],
      )
    ).map((line) => [line.run, line]),
  );
  let ranges = searches.flatMap((search) => {
    const { first = null, last = null } = bounds.get(search.among.number) ?? {};
    return first === null || last === null ? [] : [{ search, low: first, high: last }];
  });
  while (ranges.length > 0) {
    const middles = ranges.map(({ low, high }) => Math.floor((low + high) / 2));
    const lines = await sql.query<{ at: number; seq: number; row: number }>(
      `
      select wanted.at::integer, next.seq, next.row
      from unnest($1::integer[], $2::integer[]) with ordinality as wanted (run, seq, at)
        cross join lateral (
          select seq, row from record where record.run = wanted.run and record.seq >= wanted.seq order by seq limit 1
        ) as next`,
      [ranges.map(({ search }) => search.among.number), middles],
    );
    const next = new Map(lines.map((line) => [line.at, line]));
    ranges = ranges
      .map(({ search, low, high }, index) => {
        const record = next.get(index + 1);
        if (!record || record.row > search.row) return { search, low, high: (middles[index] ?? low) - 1 };
        found.set(search, record.seq);
        return { search, low: record.seq + 1, high };
      })
      .filter(({ low, high }) => low <= high);
  }
  return found;
}

/** With several files, all records of the run are examined. */
async function findRows(sql: Sql, searches: readonly Search[]): Promise<Map<Search, number>> {
  if (searches.length === 0) return new Map();
  const lines = await sql.query<{ at: number; seq: number }>(
    `
    select wanted.at::integer, record.seq
    from unnest($1::integer[], $2::integer[]) with ordinality as wanted (run, row, at)
      cross join lateral (
        select seq from record where record.run = wanted.run and record.row = wanted.row order by seq limit 1
      ) as record`,
    [searches.map(({ among }) => among.number), searches.map(({ row }) => row)],
  );
  return new Map(
    lines.flatMap(({ at, seq }) => {
      const search = searches[at - 1];
      return search ? [[search, seq] as const] : [];
    }),
  );
}

function refText({ among, line }: Search): string {
  return `${among.number} ${line?.seq}`;
}

/** The records of later runs that replaced those that were found. */
async function currentOf(sql: Sql, searches: readonly Search[]): Promise<Map<string, CurrentLine>> {
  const found = searches.filter(({ line }) => line !== undefined);
  if (found.length === 0) return new Map();
  const lines = await sql.query<CurrentLine & { of_run: number; of_seq: number }>(
    `
    select sequel.run as of_run, sequel.seq as of_seq, run.id as run, run.number, record.seq, row, outcome, code
    from unnest($1::integer[], $2::integer[]) as wanted (run, seq)
      cross join lateral (
        select * from sequel where sequel.run = wanted.run and sequel.seq = wanted.seq limit 1
      ) as sequel
      cross join lateral (
        select seq, row, outcome, code from record where record.run = by_run and record.seq = by_seq limit 1
      ) as record
      join run on run.number = by_run`,
    [found.map(({ among }) => among.number), found.map(({ line }) => line?.seq)],
  );
  return new Map(lines.map((line) => [`${line.of_run} ${line.of_seq}`, loadedLine(line, ['code'])]));
}
