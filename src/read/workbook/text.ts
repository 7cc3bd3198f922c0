import type { Attributes, XmlHandlers } from './xml.ts';

/**
 * Collects the text of an element with `t` inside, also of rich text, whose parts have formats of their own. Readings of
 * Japanese characters (`rPh`) are not part of the text.
 */
export interface TextCollector {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Returns the text since the last call. */
  take(): string;
}

/** Characters of a text, which may come in many parts. Spreadsheets have 32,767. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** Adds a part to the text of a cell. */
export function joinedText(text: string, part: string): string {
  if (text.length + part.length > MAX_TEXT_LENGTH)
    throw new Error(`a text in it has more than ${MAX_TEXT_LENGTH} characters`);
  return text + part;
}

export function createTextCollector(): TextCollector {
  let found = '';
  let isText = false;
  let isReading = false;
  return {
    open(name) {
      if (name === 't') isText = !isReading;
      else if (name === 'rPh') isReading = true;
    },
    text(text) {
      if (isText) found = joinedText(found, text);
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isReading = false;
    },
    take() {
      const text = found;
      found = '';
      return unescaped(text);
    },
  };
}

/** Calls `onText` with each shared text of a workbook, in order. */
export function sharedTextHandlers(onText: (text: string) => void): XmlHandlers {
  const collector = createTextCollector();
  return {
    open: (name: string, _attributes: Attributes) => collector.open(name),
    text: collector.text,
    close(name) {
      collector.close(name);
      if (name === 'si') onText(collector.take());
    },
  };
}

/** Restores characters that XML cannot have: `_x000D_` is a carriage return (ECMA-376 part 1, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
