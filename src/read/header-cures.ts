import { againHint, type ReadFormat } from '../model/index.ts';
import type { Source } from './source.ts';

/** Sheets that messages print a command for. */
const MAX_COMMANDS = 3;

/** Commands that read other sheets of a workbook. */
export function sheetCommands(names: readonly string[]): string[] {
  return names.slice(0, MAX_COMMANDS).flatMap((sheet) => againHint({ sheet }));
}

/** Names the other sheets of a workbook in whose sheet nothing usable was found. Empty if there are none. */
export function sheetCures({
  sheet = '',
  otherSheets = [],
}: Pick<ReadFormat, 'sheet' | 'otherSheets'>): string[] {
  if (otherSheets.length === 0) return [];
  const names = otherSheets.map((name) => `"${name}"`).join(', ');
  return [
    `This is its sheet "${sheet}". The workbook also has ${names}: name the right one with --sheet.`,
    ...sheetCommands(otherSheets),
  ];
}

/** Cures for a file whose header no mapping knows: other lines above it, no header, or another sheet. */
export function headerCures({ suggestion, reading }: Pick<Source, 'suggestion' | 'reading'>): string[] {
  return [...(suggestion?.() ?? []), ...sheetCures(reading())];
}
