import { visible } from '../../model/index.ts';

/** Text that is markup already. All other values in `asHtml` are escaped. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | undefined | false | readonly Part[];

/** A template of markup. Values are escaped, lists are joined, and `undefined` and `false` leave nothing. */
export function asHtml(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = strings[0] ?? '';
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (strings[index + 1] ?? '');
  return { markup };
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes markup, and shows control characters, also those that change the direction of text. */
function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
