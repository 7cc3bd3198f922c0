/** Characters that take no column on a terminal. */
const NO_WIDTH = /^[\p{M}\p{Cf}\u115f-\u11ff]$/u;
/** Characters that take two columns: East Asian scripts, full-width forms, emoji. */
const DOUBLE =
  /^[\u1100-\u115e\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

function widthOf(character: string): number {
  if (character >= ' ' && character <= '~') return 1;
  if (NO_WIDTH.test(character)) return 0;
  return DOUBLE.test(character) ? 2 : 1;
}

/** Returns the columns of a line on a terminal. If terminals differ, it is the largest number. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** Cuts a line to a number of columns, with an ellipsis if anything is omitted. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    // One column is for the ellipsis.
    if (width >= columns) break;
    cut += character;
  }
  return columns < 1 ? '' : `${cut.trimEnd()}…`;
}
