import { ConfigError, type Position, type Row } from '../../model/index.ts';
import { type Bytes, inPieces, NO_BYTES } from '../bytes/bytes.ts';
import { nameOf } from '../messages.ts';
import { BATCH_BYTES, type Content, inBatches } from '../source.ts';
import { markLength, passOver, type SourceText, withoutMark } from '../text.ts';
import { detectDialect } from './dialect.ts';
import { createRowReader, type RowReader, type Start } from './rows.ts';

/** Reads CSV up to and including its header. The rows do not depend on chunk borders. */
export async function readCsv(text: SourceText): Promise<Content> {
  const { file, head, settings, from } = text;
  const { limits, onWarning } = settings;
  const dialect = detectDialect(withoutMark(head).toString(), text.ended, {
    delimiter: settings.delimiter ?? (settings.format === 'tsv' ? '\t' : undefined),
    quote: settings.quote,
    tabs: /\.(?:tsv|tab)(?:\.gz)?$/i.test(file),
  });
  const readerAt = (start: Start) =>
    createRowReader({ file, dialect, limits, onWarning, start, encoding: text.encoding });
  const begin = { offset: markLength(head), row: 1, line: 1 };
  const reader = readerAt(begin);
  const input = inPieces(passOver(text.input, begin.offset), BATCH_BYTES);
  const state = await readHeader(reader, input, begin.offset);
  const { table } = reader;
  if (table === undefined) throw new ConfigError(`${nameOf(file)} holds only blank lines: it has no header.`);
  const content = { table, reading: { format: 'csv' as const, ...dialect } };
  // An errors.csv of objects is recognised by its first objects, so the rows before `from` are read and dropped later.
  if (table.items) return { ...content, batches: batchesOf(reader, input, state) };
  if (from === undefined || from.offset < state.offset)
    return { ...content, batches: batchesOf(reader, input, { ...state, from }) };
  const rest = passOver(input, from.offset - state.offset);
  return { ...content, batches: batchesOf(readerAt({ ...from, table }), rest, NOTHING_READ) };
}

interface State {
  /** Rows that followed the header in the same piece. */
  readonly rows: Row[];
  readonly ended: boolean;
  /** Rows before this position are left out. */
  readonly from?: Position | undefined;
}

const NOTHING_READ: State = { rows: [], ended: false };

/** Reads until the header was found or the input ends. The returned `offset` is that of the next byte to read. */
async function readHeader(
  reader: RowReader,
  input: Bytes,
  begin: number,
): Promise<State & { offset: number }> {
  for (let offset = begin; ; ) {
    const next = await input.next();
    const ended = next.done === true;
    offset += next.value?.length ?? 0;
    const rows = reader.read(next.value ?? NO_BYTES, ended);
    if (ended || reader.table !== undefined) return { rows, ended, offset };
  }
}

async function* batchesOf(
  reader: RowReader,
  input: Bytes,
  { rows, ended, from }: State,
): AsyncGenerator<Row[], void> {
  yield* inBatches(from === undefined ? rows : rows.filter(({ row }) => row >= from.row));
  while (!ended) {
    const next = await input.next();
    ended = next.done === true;
    yield* inBatches(reader.read(next.value ?? NO_BYTES, ended));
  }
}
