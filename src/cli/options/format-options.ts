import type { FormatOptions } from '../../pipeline/index.ts';

/** Takes the options of the reader from the arguments of a command; see `FORMAT_OPTIONS`. */
export function formatOptionsIn(args: FormatOptions): FormatOptions {
  const { format, encoding, delimiter, quote, sheet, skipLines, noHeader, padRows } = args;
  const { rows, skipRows, untilBlankRow } = args;
  return {
    ...{ format, encoding, delimiter, quote, sheet, skipLines, noHeader, padRows },
    ...{ rows, skipRows, untilBlankRow },
  };
}
