import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { RunStopped } from '../../model/index.ts';
import type { Bytes } from '../bytes/bytes.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Called with the elements of a document in order. Names are without a namespace prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Attributes): void;
  /** Called with text between two tags, at once. */
  text?(text: string): void;
  close?(name: string): void;
}

/** A parser that takes a document in chunks. */
export interface XmlReader {
  write(bytes: Buffer): void;
  end(): void;
}

/** The place of a document in messages: `shop.xlsx is damaged: its part xl/workbook.xml …`. */
export interface XmlPlace {
  readonly file: string;
  readonly part: string;
}

/** Bytes between two events, which are held in memory: a text is no longer than a row of CSV may be. */
const MAX_BYTES_BETWEEN = 4 * 1024 * 1024;
/** Bytes of a tag. Each of its attributes takes many times its bytes. */
const MAX_TAG_BYTES = 128 * 1024;
/** Elements inside each other. A sheet has ten; the parser keeps each that is open. */
const MAX_ELEMENT_DEPTH = 100;

/** Throws RunStopped if the document is not XML. Entities that a document declares are not expanded. */
export function createXmlReader({ file, part }: XmlPlace, { open, text, close }: XmlHandlers): XmlReader {
  const parser = new SaxesParser({ position: false });
  let decode: ((bytes: Buffer) => string) | undefined;
  /** Bytes since the last event. */
  let pending = 0;
  let isInTag = false;
  let depth = 0;
  const damaged = (why: string) =>
    new RunStopped(
      'source-failed',
      `${file} is damaged: its part ${part} is not the XML of a workbook: ${why}.`,
      ['Open it in a spreadsheet and save it anew, or export the file again.'],
    );
  parser.on('opentagstart', () => {
    pending = 0;
    isInTag = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    isInTag = false;
    if (++depth > MAX_ELEMENT_DEPTH)
      throw new Error(`it has elements inside each other more than ${MAX_ELEMENT_DEPTH} deep`);
    open?.(localName(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth--;
    close?.(localName(name));
  });
  const onText = (found: string) => {
    pending = 0;
    text?.(found);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      // The parser throws plain errors; others come from a handler.
      if ((error as Error).constructor !== Error) throw error;
      throw damaged((error as Error).message.replace(/\.$/, ''));
    }
  };
  return {
    write(bytes) {
      decode ??= decoderFor(bytes);
      pending += bytes.length;
      attempt(() => parser.write(decode?.(bytes) ?? ''));
      if (pending > (isInTag ? MAX_TAG_BYTES : MAX_BYTES_BETWEEN))
        throw damaged('a text or tag in it has no end');
    },
    end: () => attempt(() => void parser.close()),
  };
}

/** Reads a whole document, which must be small. */
export async function readXml(place: XmlPlace, bytes: Bytes, handlers: XmlHandlers): Promise<void> {
  const reader = createXmlReader(place, handlers);
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES)
      throw new RunStopped(
        'source-failed',
        `${place.file} was not read: its part ${place.part} has more than ${MAX_DOCUMENT_BYTES} bytes, and lists only sheets and formats.`,
      );
    reader.write(chunk);
  }
  reader.end();
}

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Finds an attribute whose prefix is unknown, such as `r:id`. */
export function prefixedAttribute(attributes: Attributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => key !== name && localName(key) === name)?.[1];
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** XML is UTF-8, or UTF-16 with a byte order mark. */
function decoderFor(bytes: Buffer): (bytes: Buffer) => string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isUtf16) {
    const decoder = new StringDecoder('utf8');
    return (each) => decoder.write(each);
  }
  const decoder = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be');
  return (each) => decoder.decode(each, { stream: true });
}
