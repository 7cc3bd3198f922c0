import { styleText } from 'node:util';
import { INCOMPLETE, OUTCOMES, type OutcomeStatus } from '../../model/index.ts';
import type { Environment } from '../io.ts';

/** Adds colour to text that the mask and `visible` have passed: so a secret is not cut, and data has no colours. */
export type Painter = (text: string) => string;

type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow';

/**
 * True if text for this stream gets colours: it is a terminal, not a dumb one, and NO_COLOR is not set. FORCE_COLOR
 * decides alone: any value but 0 and false is a yes. The one place that decides.
 */
export function hasColour(
  stream: { readonly isTTY?: boolean },
  { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: terminal }: Environment,
): boolean {
  if (force !== '') return !['0', 'false'].includes(force.toLowerCase());
  return Boolean(stream.isTTY) && none === '' && terminal !== 'dumb';
}

function styled(style: Style, text: string): string {
  // Newer versions of Node look at standard output themselves, unless an option says no. Node 20 ignores the option.
  const styleOf = styleText as (style: Style, text: string, options: { validateStream: boolean }) => string;
  return styleOf(style, text, { validateStream: false });
}

/** The beginning of errors and warnings. */
export function paintMessage(text: string): string {
  return text
    .replaceAll(/^(?:Error|This is a bug in storeport):/gm, (word) => styled('red', word))
    .replaceAll(/^Warning:/gm, (word) => styled('yellow', word));
}

/** Command lines of their own, up to the words that explain them. */
export function paintCommands(text: string): string {
  return text.replaceAll(
    /^( {2,})((?:storeport|node \S+) \S.*?)(?= {3}|$)/gm,
    (_, indent, command) => indent + styled('cyan', command),
  );
}

/** Outcomes, headings, warnings, and the commands of the next steps in a summary. */
export function paintSummary(text: string): string {
  return paintCommands(paintMessage(text))
    .replaceAll(/^( *[\d,]+ )([a-z-]+)$/gm, (line, count, word) => {
      const style = OUTCOME_STYLES.get(word);
      return style === undefined ? line : count + styled(style, word);
    })
    .replaceAll(/^(?:What was wrong|To do|To continue|Stopped early):/gm, (word) => styled('bold', word))
    .replaceAll(
      /(?<=^.*(?:To do|To continue).*)storeport (?:run|fleet) [a-z]+ [\w-]+(?: --[a-z-]+)?/gm,
      (command) => styled('cyan', command),
    );
}

/** Headings of the help, such as `Options:`. */
export function paintHelp(text: string): string {
  return text.replaceAll(/^[A-Z][A-Za-z ]*:$/gm, (heading) => styled('bold', heading));
}

const DONE: ReadonlySet<OutcomeStatus> = new Set(['created', 'updated']);
const DOUBTFUL: ReadonlySet<OutcomeStatus> = new Set(['in-doubt', 'unsent']);

const OUTCOME_STYLES: ReadonlyMap<string, Style> = new Map(
  OUTCOMES.map((word) => [
    word,
    DONE.has(word) ? 'green' : DOUBTFUL.has(word) ? 'yellow' : INCOMPLETE.has(word) ? 'red' : 'dim',
  ]),
);
