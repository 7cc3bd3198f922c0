import { displayWidth } from '../../output/width.ts';

const GAP = '  ';

/** A table for people: columns as wide as their cells, each line without blanks at its end. */
export function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, index) =>
    Math.max(...[header, ...rows].map((cells) => displayWidth(cells[index] ?? ''))),
  );
  return [header, ...rows]
    .map((cells) =>
      cells
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - displayWidth(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** `3 d`, `5 h`, `12 min`, `8 s`: the largest unit that fits. */
export function ageText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? UNITS[UNITS.length - 1]!;
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}
