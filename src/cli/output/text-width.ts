/**
 * Takes the place of string-width in the bundle (scripts/build.mjs). That one knows how wide emoji and all scripts are,
 * and what it prepares for that is a quarter of the time of a short command, since yargs measures its help each time.
 * The help of this program is English.
 */
export default function textWidth(text: string): number {
  return text.length;
}
