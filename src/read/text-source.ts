import { ConfigError } from '../model/index.ts';
import { type Bytes, CHUNK_BYTES, HEAD_LINE_ENDS, readHead } from './bytes/bytes.ts';
import { decode } from './bytes/decode.ts';
import { gunzip, isGzip } from './bytes/gunzip.ts';
import { refuseOtherKinds, refusePages } from './bytes/kinds.ts';
import { readCsv } from './csv/csv.ts';
import { withFirstItems } from './json/first-items.ts';
import { readJson } from './json/json.ts';
import { looksLikeJson, NAMED_LINES } from './json/json-shape.ts';
import { nameOf } from './messages.ts';
import { type Format, type ReadSettings, refuseLayout, refuseSheet } from './options.ts';
import type { OpenedContent, SourceBytes } from './source.ts';
import { type SourceText, withoutMark } from './text.ts';

/** Bytes needed to recognise a binary file format. */
const KIND_BYTES = 512;

/**
 * Reads a file of text: bytes → unpacked → decoded → rows.
 *
 * To resume in mid-file it still unpacks and decodes the bytes before, since later bytes cannot be interpreted without
 * them.
 */
export async function openTextSource(bytes: SourceBytes): Promise<OpenedContent> {
  const { file, settings, from, bytesRead, digest, lineAt } = bytes;
  const { packed, decoded } = await openText(nameOf(file), bytes.input, { ...settings, lineAt });
  const head = await readHead(decoded.input, CHUNK_BYTES, HEAD_LINE_ENDS);
  const encoding = () => decoded.encoding().name;
  const text: SourceText = { ...head, file, encoding, settings, from };
  const { reading, ...content } = await withFirstItems(await contentOf(text), from);
  decoded.opened();
  return {
    ...content,
    reading() {
      const { name: encoding, guessed, rival, undecided } = decoded.encoding();
      return {
        ...reading,
        ...(packed ? { packed: 'gzip' } : {}),
        encoding,
        ...(guessed ? { guessed: true } : {}),
        ...(rival === undefined ? {} : { rival }),
        ...(undecided ? { undecided } : {}),
      };
    },
    ...{ bytesRead, digest },
  };
}

/** bytes → unpacked → decoded. */
export async function openText(
  name: string,
  input: Bytes,
  { encoding, onWarning, lineAt }: Pick<ReadSettings, 'encoding' | 'onWarning'> & Pick<SourceBytes, 'lineAt'>,
) {
  const start = await readHead(input, 3);
  const packed = isGzip(start.head);
  const onRest = (message: string) => onWarning({ code: 'gzip-rest', message });
  const bytes = packed ? gunzip(name, start.input, { onWarning: onRest }) : start.input;
  const unpacked = await readHead(bytes, KIND_BYTES);
  refuseOtherKinds(name, unpacked.head);
  const onLate = (message: string) => onWarning({ code: 'encoding', message });
  const decoding = { encoding, onWarning: onLate, lineAt: packed ? undefined : lineAt };
  return { packed, decoded: await decode(name, unpacked.input, decoding) };
}

async function contentOf(text: SourceText) {
  const { format } = text.settings;
  const name = nameOf(text.file);
  refuseSheet(text.settings, `${name} is none`);
  if (format === 'xlsx') throw new ConfigError(`${name} is not an Excel workbook (.xlsx).`);
  const beginning = withoutMark(text.head);
  if (isEmptyLines(text, beginning))
    return readJson({ ...text, settings: { ...text.settings, format: 'ndjson' } });
  if (beginning.length === 0) {
    // Throws if the file is empty because it is damaged.
    await text.input.next();
    throw new ConfigError(`${name} is empty: it has not even a header.`);
  }
  const shown = beginning.toString();
  if (beginning[0] === 0 && format !== undefined && isJson(shown, format))
    throw new ConfigError(`${name} begins with a NUL byte, so it is not JSON.`);
  refusePages(name, shown);
  if (!isJson(shown, format)) return readCsv(text);
  refuseLayout(text.settings, `${name} is JSON`);
  return readJson(text);
}

/** An empty NDJSON file has no header and no items, so only its name or the option identifies it. */
function isEmptyLines({ file, settings: { format } }: SourceText, beginning: Buffer): boolean {
  const isNdjson = format === 'ndjson' || (format === undefined && NAMED_LINES.test(file));
  return isNdjson && beginning.toString().trim() === '';
}

function isJson(beginning: string, format: Format | undefined): boolean {
  if (format !== undefined) return format === 'json' || format === 'ndjson';
  return looksLikeJson(beginning);
}
