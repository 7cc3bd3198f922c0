import {
  ConfigError,
  columnLetters,
  type Issue,
  MistypedError,
  type Row,
  type Table,
} from '../../model/index.ts';
import { hasTrace } from '../damage-marks.ts';
import { sheetCommands, sheetCures } from '../header-cures.ts';
import { withFirstItems } from '../json/first-items.ts';
import * as messages from '../messages.ts';
import { type Limits, refuseForWorkbook } from '../options.ts';
import type { Content, OpenedContent, SourceBytes } from '../source.ts';
import { layoutIn, MAX_TITLE_LINES } from '../table/layout.ts';
import { completeRow, headerTable, letteredTable } from '../table/table.ts';
import { uncorrectedFinder } from '../table/uncorrected.ts';
import { readWorkbook, type Sheet, type Workbook } from './book.ts';
import { type SheetNotes, type SheetRow, sheetRows, withoutValueIssue } from './sheet.ts';
import { sheetLayout, sheetSuggestion } from './sheet-layout.ts';
import { sharedTextHandlers } from './text.ts';
import { createTextStore, type TextStore } from './text-store.ts';
import { createXmlReader } from './xml.ts';
import { readZip } from './zip.ts';

/** Rows that are read ahead: they show how many columns the table has, even if some of them have no name. */
const ROWS_AHEAD = 50;

/** Reads one sheet of an Excel workbook, row by row. */
export async function openWorkbookSource(bytes: SourceBytes): Promise<OpenedContent> {
  const { file, settings, from } = bytes;
  const name = messages.nameOf(file);
  refuseForWorkbook(settings, name);
  const access = await bytes.access();
  const texts = createTextStore();
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    texts.close();
    await access.close();
  };
  try {
    const book = await readWorkbook(name, await readZip(name, access));
    const sheet = chosenSheet(name, book, settings.sheet);
    const hasTraces = await readSharedTexts(name, book, texts);
    let unpacked = 0;
    let digest: string | undefined;
    const notes: SheetNotes = {
      ...{ hiddenRows: 0, hiddenColumns: [], rounded: 0, firstRounded: '', long: 0, firstLong: '' },
      ...{ merged: 0, firstMerged: '' },
    };
    const rows = sheetRows({
      ...{
        file: name,
        part: sheet.part,
        texts,
        hasTraces,
        formats: book.formats,
        is1904: book.is1904,
        notes,
      },
      onBytes(count) {
        unpacked += count;
      },
    });
    const onEnd = async () => {
      digest = await access.digest();
      for (const warning of noteWarnings(name, notes)) settings.onWarning(warning);
    };
    const others = book.sheets.map((each) => each.name).filter((each) => each !== sheet.name);
    const { reading, ...content } = await withFirstItems(
      await contentOf(bytes, sheet.name, { rows, onEnd, others }),
      from,
    );
    return {
      ...content,
      reading: () => ({
        ...{ ...reading, encoding: 'UTF-8' },
        ...(others.length > 0 ? { otherSheets: others } : {}),
      }),
      // The sheet is only a part of the file. Progress is that of the sheet.
      bytesRead: () =>
        digest === undefined
          ? Math.floor((access.size * unpacked) / Math.max(unpacked, sheet.part.size, 1))
          : access.size,
      digest: () => digest,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Chooses a sheet by its name, else by its number from 1. Default: the first that is not hidden. */
function chosenSheet(file: string, { sheets }: Workbook, wanted: string | undefined): Sheet {
  const fold = (text: string) => text.trim().normalize('NFC').toLowerCase();
  const found =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : (sheets.find(({ name }) => name === wanted) ??
        sheets.find(({ name }) => fold(name) === fold(wanted)) ??
        sheets[/^\d+$/.test(wanted) ? Number(wanted) - 1 : -1]);
  if (found) return found;
  throw new MistypedError(
    `${file} has no sheet "${wanted}".`,
    [
      `Its sheets: ${sheets.map(({ name }, index) => `${index + 1} "${name}"`).join(', ')}.`,
      ...sheetCommands(sheets.map(({ name }) => name)),
    ],
    { word: wanted ?? '', names: () => sheets.map(({ name }) => name) },
  );
}

/** Returns true if the texts may have traces of damage. */
async function readSharedTexts(file: string, { sharedTexts }: Workbook, texts: TextStore): Promise<boolean> {
  if (sharedTexts === undefined) return false;
  const reader = createXmlReader({ file, part: sharedTexts.name }, sharedTextHandlers(texts.add));
  let isMarked = false;
  for await (const bytes of sharedTexts.bytes()) {
    isMarked ||= hasTrace(bytes);
    reader.write(bytes);
  }
  reader.end();
  return isMarked;
}

/** The rows of a sheet, which can be read once. */
interface SheetInput {
  readonly rows: AsyncGenerator<SheetRow[], void>;
  /** Called after the last row. */
  onEnd(): Promise<void>;
  /** Names of the other sheets. */
  readonly others: readonly string[];
}

async function contentOf(
  { file, settings, from }: SourceBytes,
  sheet: string,
  { rows, onEnd, others }: SheetInput,
): Promise<Content> {
  const { limits, onWarning } = settings;
  const ahead = await readAhead(rows, settings.layout.skipLines ?? MAX_TITLE_LINES);
  const layout = sheetLayout(settings.layout, ahead, { file, onWarning });
  const below = ahead.filter(({ number }) => number > layout.skipLines);
  const [first] = below;
  if (first === undefined)
    throw new ConfigError(
      `${messages.nameOf(file)} has an empty sheet "${sheet}": ${layout.skipLines > 0 ? `nothing is below its row ${layout.skipLines}` : 'it has not even a header'}.`,
      others.length > 0
        ? sheetCures({ sheet, otherSheets: others })
        : ['It is the only one. Look in the workbook whether it was saved.'],
    );
  const width = below.slice(0, ROWS_AHEAD).reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const place = { file, row: first.number, line: first.number };
  const names = Array.from({ length: width }, (_, index) => first.cells[index] ?? '');
  const table = layout.noHeader
    ? letteredTable(file, width, sheet)
    : headerTable(names, { place, sheet, onWarning });
  // An errors.xlsx of objects is recognised by its first objects, so the rows before `from` are dropped later.
  const firstRow = Math.max(
    layout.noHeader ? first.number : first.number + 1,
    table.items === undefined ? (from?.row ?? 0) : 0,
  );
  const rowOf = createRowBuilder(table, limits);
  async function* all(): AsyncGenerator<Row[], void> {
    for await (const batch of joined(ahead, rows)) {
      const wanted = batch.filter(({ number }) => number >= firstRow);
      if (wanted.length > 0) yield wanted.map(rowOf);
    }
    await onEnd();
  }
  return {
    table,
    reading: { format: 'xlsx', sheet, ...layoutIn({ ...layout, padRows: false }) },
    batches: all(),
    suggestion: () => sheetSuggestion(ahead, layout),
  };
}

/** Reads until the first rows below `skipLines` are known; fewer if the sheet ends. */
async function readAhead(batches: AsyncGenerator<SheetRow[], void>, skipLines: number): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for (let below = 0; below < ROWS_AHEAD; ) {
    const next = await batches.next();
    if (next.done === true) break;
    for (const row of next.value) if (row.number > skipLines) below++;
    rows.push(...next.value);
  }
  return rows;
}

async function* joined<T>(first: T, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  yield first;
  yield* rest;
}

/** Creates a function that makes rows of a table of the rows of a sheet. */
function createRowBuilder(table: Table, limits: Limits): (row: SheetRow) => Row {
  const { header } = table;
  const findUncorrected = uncorrectedFinder(header);
  return (row) => {
    const { number, cells, suspect } = row;
    const issues = [...issuesOf(row, header, limits)];
    while (cells.length < header.length) cells.push('');
    const found = issues.length === 0 ? (findUncorrected?.(cells) ?? []) : issues;
    return completeRow(
      { table, row: number, line: number, cells, offset: number, suspect },
      found.length === 0 ? undefined : found,
    );
  };
}

function* issuesOf(row: SheetRow, header: readonly string[], { maxCellBytes }: Limits) {
  const { number, cells, withoutValue = [] } = row;
  for (const column of withoutValue) yield withoutValueIssue(row, column, header[column]);
  if (cells.length > header.length) yield messages.cellBeyond(header, cells, number);
  for (const [index, cell] of cells.entries()) {
    if (cell.includes('\0')) yield messages.nulByte({ header, index });
    // A character has at most three bytes.
    if (cell.length * 3 <= maxCellBytes) continue;
    const bytes = Buffer.byteLength(cell);
    if (bytes > maxCellBytes) yield messages.longCell({ header, index }, bytes, maxCellBytes);
  }
}

/** Warnings about a sheet that was read to its end. */
function* noteWarnings(file: string, notes: SheetNotes): Generator<Issue> {
  const { hiddenRows, hiddenColumns, rounded, firstRounded, long, firstLong, merged, firstMerged } = notes;
  const columns = hiddenColumns.slice(0, 10).map(columnLetters).join(', ');
  const hidden = [
    ...(hiddenRows > 0 ? [messages.amount(hiddenRows, 'hidden row')] : []),
    ...(hiddenColumns.length > 0
      ? [`${messages.amount(hiddenColumns.length, 'hidden column')} (${columns})`]
      : []),
  ];
  if (hidden.length > 0)
    yield {
      code: 'hidden-cells',
      message: `${file} has ${hidden.join(' and ')}, which were read like all others.`,
    };
  if (rounded > 0)
    yield {
      code: 'shown-rounded',
      message: `${messages.amount(rounded, 'number')} in ${file} ${rounded === 1 ? 'has' : 'have'} more digits than the workbook shows, such as the one in ${firstRounded}. They were read as shown: for all digits, show more decimals in the workbook.`,
    };
  if (long > 0)
    yield {
      code: 'long-numbers',
      message: `${messages.amount(long, 'number')} in ${file} ${long === 1 ? 'has' : 'have'} more than 15 digits, such as the one in ${firstLong}. Spreadsheets set the others to 0: write such codes as text.`,
    };
  if (merged > 0)
    yield {
      code: 'merged-cells',
      message: `${file} has ${messages.amount(merged, 'merged cell')} over several rows, such as ${firstMerged}, and only the first row of each has its value. Fill the others in the workbook, or name the column under "carry" in the mapping.`,
    };
}
