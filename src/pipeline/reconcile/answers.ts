import type { EarlierRecord, StoreHistory } from '../../ledger/index.ts';
import { ConfigError, identifierFault, identifierOf, type Row } from '../../model/index.ts';
import { openSource } from '../../read/index.ts';
import { FOUND_COLUMN } from '../../report/index.ts';
import type { Doubtful, Finding, OpenDoubts } from './doubts.ts';

/** Words for a record that is not in the store. Any other text is an identifier. */
const NOT_THERE = new Set(['no', 'not there', 'not-there', 'none', 'missing', 'absent']);

/** Words that cannot be identifiers: people write them if they leave out the identifier, or abbreviate "no". */
const UNCLEAR = new Set(
  ['yes', 'y', 'true', 'ok', 'there', 'found', 'exists', 'created'].concat([
    'n',
    'false',
    '0',
    '1',
    '-',
    '?',
    'n/a',
    'null',
    'x',
  ]),
);

export interface Answers {
  readonly found: ReadonlyMap<Doubtful, Finding>;
  /** Messages about rows that could not be used. */
  readonly problems: readonly string[];
}

/** Reads the answers in an edited in-doubt.csv. Throws ConfigError if it is no such file. */
export async function answersIn(
  file: string,
  { ledger, run, doubtful }: OpenDoubts,
  stdin?: () => NodeJS.ReadableStream,
): Promise<Answers> {
  const source = await openSource(file, { onWarning: () => {}, stdin, skipLines: 0 });
  const { findEarlier } = await ledger.history(run.store, run.resource);
  const byRef = new Map(doubtful.map((record) => [record.ref.join(), record]));
  const found = new Map<Doubtful, Finding>();
  /** The record of each identifier, since two records cannot have the same one. */
  const holders = new Map<string, Doubtful>();
  const problems: string[] = [];
  try {
    const read = readerOf(source.table.header, file);
    for await (const rows of source.batches) {
      const answers = rows.flatMap((row) => read(row) ?? []);
      const earlier = await earlierOf(answers, findEarlier);
      for (const answer of answers) {
        const { at } = answer;
        const problem = (what: string) => problems.push(`${file}, row ${at.row}: ${what}`);
        if (at.issues?.[0]) problem(at.issues[0].message);
        else if (answer.fault !== undefined) problem(answer.fault);
        else if (answer.row === undefined)
          problem(`storeport_row holds "${answer.text}", which is not a row number`);
        else {
          const ref = earlier.get(answer)?.current.ref;
          const record = ref && byRef.get(ref.join());
          const before = record && found.get(record);
          const id = answer.finding === 'not-there' ? undefined : answer.finding.id;
          const holder = id === undefined ? undefined : holders.get(id);
          if (!record)
            problem(
              `row ${answer.row} of the run ${answer.run} is not in doubt, or not in the run ${run.id}`,
            );
          else if (before !== undefined && !isSame(before, answer.finding))
            problem(`"${record.key}" has two answers; the first counts`);
          else if (holder !== undefined && holder !== record)
            problem(`the identifier ${id} is already that of "${holder.key}"; that row counts`);
          else {
            found.set(record, answer.finding);
            if (id !== undefined) holders.set(id, record);
          }
        }
      }
    }
  } finally {
    await source.close();
  }
  return { found, problems };
}

function isSame(one: Finding, other: Finding): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Answer {
  /** The row that has it. */
  readonly at: Row;
  readonly run: string;
  readonly row: number | undefined;
  readonly text: string;
  readonly finding: Finding;
  /** Message if the answer is neither an identifier nor "no". */
  readonly fault: string | undefined;
}

/** Finds the records that answers are about. Those without a row number are about none. */
async function earlierOf(
  answers: readonly Answer[],
  findEarlier: StoreHistory['findEarlier'],
): Promise<ReadonlyMap<Answer, EarlierRecord | undefined>> {
  const asked = answers.flatMap((answer) => {
    const { run, row, at } = answer;
    return row === undefined ? [] : [{ answer, place: { run, row, cells: at.cells } }];
  });
  const found = await findEarlier(asked.map(({ place }) => place));
  return new Map(asked.map(({ answer }, index) => [answer, found[index]]));
}

/** Reads one row. Undefined for a row without an answer, whose record stays in doubt. */
function readerOf(header: readonly string[], file: string): (row: Row) => Answer | undefined {
  const place = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name);
  const [run = -1, row = -1, found = -1] = ['storeport_run', 'storeport_row', FOUND_COLUMN].map(place);
  const missing = [
    run < 0 ? 'storeport_run' : '',
    row < 0 ? 'storeport_row' : '',
    found < 0 ? FOUND_COLUMN : '',
  ].filter((name) => name !== '');
  if (missing.length > 0)
    throw new ConfigError(`${file} does not have the column ${missing.join(' and ')}.`, [
      `Take in-doubt.csv or in-doubt.xlsx of the run, and write into ${FOUND_COLUMN} the identifier of what is there, or "no".`,
    ]);
  return (at) => {
    const { cells } = at;
    const cell = (index: number) => identifierOf(cells[index] ?? '');
    const written = cell(found);
    if (written === '') return undefined;
    const word = written.toLowerCase();
    const finding = NOT_THERE.has(word) ? 'not-there' : { id: written };
    const unsound =
      finding === 'not-there' ? undefined : UNCLEAR.has(word) ? 'it is unclear' : identifierFault(written);
    const fault =
      unsound &&
      `${FOUND_COLUMN} holds "${written}": ${unsound}. Write the identifier that the store shows, or "no"`;
    const text = cell(row);
    return {
      at,
      run: cell(run),
      row: /^\d{1,15}$/.test(text) ? Number(text) : undefined,
      text,
      finding,
      fault,
    };
  };
}
