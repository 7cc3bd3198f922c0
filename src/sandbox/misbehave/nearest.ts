/** Finds the name that was probably meant: it may differ in one letter of three. */
export function nearestFault(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, steps: distance(word, name) }))
    .sort((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.max(1, word.length / 3) ? best.name : undefined;
}

/** Counts the letters to insert, remove or replace between two words (Levenshtein distance). */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const line = [row + 1];
    for (const [column, other] of [...to].entries())
      line.push(
        Math.min(
          (above[column] as number) + (letter === other ? 0 : 1),
          (above[column + 1] as number) + 1,
          (line[column] as number) + 1,
        ),
      );
    above = line;
  }
  return above.at(-1) as number;
}
