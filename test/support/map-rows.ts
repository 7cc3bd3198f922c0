import { bind, type Mapped, type Mapping, parseMapping } from '../../src/map/index.ts';
import { ConfigError, type Issue, type Row, type SourceRecord, type Table } from '../../src/model/index.ts';

export function tableOf(...header: string[]): Table {
  return { file: 'shop.csv', header };
}

/** Rows numbered as by the reader: the first one below the header is row 2. Lines differ from rows on purpose. */
export function rowsOf(table: Table, ...cells: (readonly string[])[]): Row[] {
  return cells.map((each, index) => ({ table, row: index + 2, line: index + 102, cells: each }));
}

export function recordOf(rows: readonly Row[]): SourceRecord {
  return { seq: 0, rows };
}

export function damage(row: Row): Row {
  const issue: Issue = {
    code: 'too-few-cells',
    message: 'this row has too few cells',
    origin: { file: row.table.file, row: row.row, line: row.line },
  };
  return { ...row, issues: [issue] };
}

/** The messages of warnings, without their rows. */
export function messagesOf(warnings: Mapped['warnings']): string[] | undefined {
  return warnings?.map((warning) => (typeof warning === 'string' ? warning : warning.message));
}

/** A mapping of products with these fields, parsed from its text. */
export function productMapping(fields: object, more: object = {}): Mapping {
  return parseMapping('mine', JSON.stringify({ resource: 'products', ...more, fields }));
}

/** Maps one record of a file with this header. */
export function mapRecord(
  mapping: Mapping | object,
  header: readonly string[],
  ...cells: (readonly string[])[]
): Mapped {
  const table = tableOf(...header);
  const whole = 'digest' in mapping ? (mapping as Mapping) : productMapping(mapping);
  return bind(whole, table, []).map(recordOf(rowsOf(table, ...cells)));
}

/** The payload of a record without issues. */
export function payloadOf(
  mapping: Mapping | object,
  header: readonly string[],
  ...cells: (readonly string[])[]
): Mapped['payload'] {
  const { payload, issues } = mapRecord(mapping, header, ...cells);
  if (issues.length > 0) throw new Error(`there are issues: ${JSON.stringify(issues)}`);
  return payload;
}

/** `[[code, field, column, row], …]` */
export function issuesOf(issues: readonly Issue[]) {
  return issues.map(({ code, field, column, origin }) => [code, field, column, origin?.row]);
}

/** The message and hints of the ConfigError that a call throws. */
export function refusal(call: () => unknown): { message: string; hints: readonly string[] } {
  try {
    call();
  } catch (error) {
    if (error instanceof ConfigError) return { message: error.message, hints: error.hints };
    throw error;
  }
  throw new Error('nothing was refused');
}
