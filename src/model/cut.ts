/** The text, or as many of its characters as there is room for, the last of them an ellipsis. */
export function cutText(text: string, most: number): string {
  // Half a surrogate pair is no character.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
