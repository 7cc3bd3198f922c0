import { ConfigError } from '../model/index.ts';

/** Delimiters that are told apart by themselves; the first wins a tie. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

const SAVE_AS_CSV = 'Open it in a spreadsheet and save it as "CSV UTF-8 (comma delimited)".';

interface Kind {
  readonly is: string;
  readonly hint: string;
  readonly matches: (head: Buffer) => boolean;
}

const KINDS: readonly Kind[] = [
  {
    is: 'is compressed with gzip',
    hint: 'Unpack it first, for example with: gunzip --keep FILE',
    matches: startsWith(0x1f, 0x8b),
  },
  {
    is: 'is an Excel workbook (.xlsx) or another zip file',
    hint: `If it is a workbook: ${SAVE_AS_CSV} If it is a zip file: unpack it first.`,
    matches: (head) => startsWith(0x50, 0x4b, 3, 4)(head) || startsWith(0x50, 0x4b, 5, 6)(head),
  },
  { is: 'is an old Excel workbook (.xls)', hint: SAVE_AS_CSV, matches: startsWith(0xd0, 0xcf, 0x11, 0xe0) },
  {
    is: 'is a PDF document',
    hint: 'Export the data as CSV instead.',
    matches: startsWith(0x25, 0x50, 0x44, 0x46),
  },
  {
    is: 'is UTF-16 text',
    hint: 'In a spreadsheet save it as "CSV UTF-8", or run: iconv -f UTF-16 -t UTF-8 FILE > NEW-FILE',
    // By its byte order mark, or by the NUL bytes that every letter has in UTF-16.
    matches: (head) =>
      startsWith(0xff, 0xfe)(head) ||
      startsWith(0xfe, 0xff)(head) ||
      (head.length >= 4 && [0, 2].every((at) => (head[at] === 0) !== (head[at + 1] === 0))),
  },
  {
    is: 'is JSON',
    hint: 'A CSV file is expected here: export the data as CSV.',
    matches: (head) => /^\s*(\{\s*["}]|\[\s*[[{"\]\d-])/.test(text(head)),
  },
  {
    is: 'is an HTML or XML page',
    hint: 'It may be a sign-in page that was saved in place of the file: download the CSV file again.',
    matches: (head) => /^\s*<(!doctype|\?xml|html|!--)/i.test(text(head)),
  },
];

/** Refuses what is plainly not CSV text, and says what it is. `head` is the beginning of the file, byte order mark and all. */
export function refuseOtherKinds(file: string, head: Buffer): void {
  for (const kind of KINDS) {
    if (kind.matches(head)) throw new ConfigError(`${file} ${kind.is}, not CSV text in UTF-8.`, [kind.hint]);
  }
}

/** The file's beginning without its byte order mark. */
export function withoutBom(head: Buffer): Buffer {
  return startsWith(0xef, 0xbb, 0xbf)(head) ? head.subarray(3) : head;
}

/**
 * The first line that is not blank, as far as `head` reaches: a line end inside quotes does not end it. Undefined
 * while its end is not in `head`.
 */
export function firstLine(head: string, quote: string): string | undefined {
  let quoted = false;
  let start = 0;
  for (let at = 0; at < head.length; at++) {
    const char = head[at];
    if (quote !== '' && char === quote) quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) {
      if (head.slice(start, at).trim() !== '') return head.slice(start, at);
      start = at + 1;
    }
  }
  return undefined;
}

/** The delimiter that stands most often in `line` outside quotes; a comma where none does. */
export function detectDelimiter(line: string, quote: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const char of line) {
    if (char === quote) quoted = !quoted;
    else if (!quoted && counts.has(char)) counts.set(char, counts.get(char)! + 1);
  }
  let best: string = DELIMITERS[0];
  for (const [delimiter, count] of counts) if (count > counts.get(best)!) best = delimiter;
  return best;
}

function startsWith(...bytes: number[]): (head: Buffer) => boolean {
  return (head) => bytes.every((byte, at) => head[at] === byte);
}

function text(head: Buffer): string {
  return withoutBom(head).toString('utf8', 0, 200);
}
