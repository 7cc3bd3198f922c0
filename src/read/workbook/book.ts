import { ConfigError, RunStopped } from '../../model/index.ts';
import { builtInPattern, compileNumberFormat, GENERAL, type NumberFormat } from './number-format.ts';
import { prefixedAttribute, readXml, type XmlHandlers } from './xml.ts';
import type { ZipPart, ZipParts } from './zip.ts';

/** Sheets of a workbook, and links of a part, which are as many as a zip file may have parts. */
const MAX_SHEETS = 10_000;
/** Styles of cells: more than spreadsheets allow. */
const MAX_STYLES = 100_000;
/** Number formats that a workbook defines. Spreadsheets allow 250. */
const MAX_NUMBER_FORMATS = 5000;

/** Throws a plain error, which becomes that of a damaged part. */
function assertAtMost(most: number, count: number, what: string): void {
  if (count > most) throw new Error(`it has more than ${most} ${what}`);
}

/** A workbook, without the content of its sheets. */
export interface Workbook {
  /** In their order, without charts. */
  readonly sheets: readonly Sheet[];
  /** True if days are counted from 1904. */
  readonly is1904: boolean;
  /** Number formats by the style of a cell. */
  readonly formats: readonly NumberFormat[];
  /** Undefined if all its texts are in the sheets. */
  readonly sharedTexts: ZipPart | undefined;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: ZipPart;
}

/** Reads the list of sheets and the formats. Throws ConfigError if the zip file is no workbook. */
export async function readWorkbook(file: string, parts: ZipParts): Promise<Workbook> {
  const reader = { file, parts };
  const root = await relationsOf(reader, '');
  const main = partAt(parts, root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml');
  if (main === undefined || !/\.xml$/i.test(main.name)) throw notAWorkbook(file, parts);
  const relations = await relationsOf(reader, main.name);
  const listed: { readonly name: string; readonly state: string; readonly id: string }[] = [];
  let is1904 = false;
  await read(reader, main, {
    open(name, attributes) {
      // Excel also writes an element of this name with a prefix, for settings of later versions.
      if (name === 'workbookPr') is1904 ||= isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      assertAtMost(MAX_SHEETS, listed.length, 'sheets');
      listed.push({
        name: attributes.name ?? '',
        state: attributes.state ?? '',
        id: prefixedAttribute(attributes, 'id') ?? '',
      });
    },
  });
  const relationOf = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
  const sheets = listed.flatMap(({ name, state, id }): Sheet[] => {
    const relation = relationOf.get(id);
    if (relation?.type !== 'worksheet') return [];
    return [{ name, isHidden: /hidden/i.test(state), part: existing(reader, relation.target) }];
  });
  if (sheets.length === 0) throw new ConfigError(`${file} is a workbook without a sheet of cells.`);
  const target = (type: string) => relations.find((relation) => relation.type === type)?.target;
  const styles = partAt(parts, target('styles') ?? '');
  return {
    ...{ sheets, is1904 },
    formats: styles === undefined ? [] : await formatsIn(reader, styles),
    sharedTexts: partAt(parts, target('sharedStrings') ?? ''),
  };
}

/** The name of the file in messages, and its parts. */
interface PartReader {
  readonly file: string;
  readonly parts: ZipParts;
}

function read({ file }: PartReader, part: ZipPart, handlers: XmlHandlers): Promise<void> {
  return readXml({ file, part: part.name }, part.bytes(), handlers);
}

/** A link from one part to another. */
interface Relation {
  readonly id: string;
  /** The last word of its type. Strict and transitional workbooks have different addresses before it. */
  readonly type: string;
  /** Path of the other part in the zip file. */
  readonly target: string;
}

/** Reads the relations of a part; those of the whole file for an empty name. */
async function relationsOf(reader: PartReader, name: string): Promise<Relation[]> {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const part = partAt(reader.parts, `${folder}_rels/${name.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  if (part === undefined) return relations;
  await read(reader, part, {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (tag !== 'Relationship' || TargetMode === 'External') return;
      assertAtMost(MAX_SHEETS, relations.length, 'links');
      relations.push({
        id: Id,
        type: Type.slice(Type.lastIndexOf('/') + 1),
        target: resolved(folder, Target),
      });
    },
  });
  return relations;
}

/** Resolves a path against a folder: `/xl/a.xml` and `../xl/a.xml` are `xl/a.xml`. */
function resolved(folder: string, target: string): string {
  const steps: string[] = target.startsWith('/') ? [] : folder.split('/').filter((step) => step !== '');
  for (const step of target.replaceAll('\\', '/').split('/'))
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  return steps.join('/');
}

function partAt(parts: ZipParts, path: string): ZipPart | undefined {
  const name = path.toLowerCase();
  return parts.get(name) ?? parts.get(decoded(name));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function existing({ file, parts }: PartReader, path: string): ZipPart {
  const part = partAt(parts, path);
  if (part) return part;
  throw new RunStopped('source-failed', `${file} is damaged: its part ${path} is missing.`, [
    'Open it in a spreadsheet and save it anew, or export the file again.',
  ]);
}

/** Reads the number formats. Styles of cells are numbered in the order in which `cellXfs` has them. */
async function formatsIn(reader: PartReader, part: ZipPart): Promise<NumberFormat[]> {
  const patterns = new Map<string, string>();
  const ids: string[] = [];
  let isInList = false;
  await read(reader, part, {
    open(name, { numFmtId = '0', formatCode = 'General' }) {
      assertAtMost(MAX_NUMBER_FORMATS, patterns.size, 'number formats');
      assertAtMost(MAX_STYLES, ids.length, 'styles');
      if (name === 'numFmt') patterns.set(numFmtId, formatCode);
      else if (name === 'cellXfs') isInList = true;
      else if (name === 'xf' && isInList) ids.push(numFmtId);
    },
    close(name) {
      if (name === 'cellXfs') isInList = false;
    },
  });
  const formats = new Map<string, NumberFormat>();
  return ids.map((id) => {
    const known = formats.get(id);
    if (known) return known;
    const pattern = patterns.get(id) ?? builtInPattern(Number(id));
    const format = pattern === 'General' ? GENERAL : compileNumberFormat(pattern);
    formats.set(id, format);
    return format;
  });
}

function isTrue(text = ''): boolean {
  return text === '1' || text === 'true' || text === 'on';
}

const AS_XLSX = 'Save it as an Excel workbook (.xlsx), or as "CSV UTF-8 (comma delimited)".';

/** Other files that are zip files inside, by a part of each. */
const OTHERS: readonly { readonly part: RegExp; readonly is: string; readonly hint: string }[] = [
  {
    part: /^xl\/workbook\.bin$/,
    is: 'a binary Excel workbook (.xlsb)',
    hint: `Open it in Excel. ${AS_XLSX}`,
  },
  {
    part: /^index\/document\.iwa$|^index\.zip$/,
    is: 'a Numbers document',
    hint: 'Open it in Numbers and export it as Excel or CSV.',
  },
  { part: /^word\//, is: 'a Word document', hint: 'Copy its table to a spreadsheet and save that.' },
  { part: /^content\.xml$/, is: 'an OpenDocument file (.ods)', hint: `Open it in LibreOffice. ${AS_XLSX}` },
];

function notAWorkbook(file: string, parts: ZipParts): ConfigError {
  const other = OTHERS.find(({ part }) => [...parts.keys()].some((name) => part.test(name)));
  if (other) return new ConfigError(`${file} is ${other.is}, which cannot be read.`, [other.hint]);
  return new ConfigError(`${file} is a zip file, and not an Excel workbook (.xlsx).`, [
    'Unpack it first, and name the file in it.',
  ]);
}
