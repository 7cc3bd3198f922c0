import * as z from 'zod';
import { libraries } from '../expression/libraries.ts';
import { defineStep } from './step.ts';

const args = z.enum(['strip', 'keep']);

export const html = defineStep<z.infer<typeof args>>({
  name: 'html',
  doc:
    '`strip` makes readable text of HTML: tags, comments, scripts and styles go, blocks become lines, and entities become ' +
    'the characters that they stand for. `keep` leaves the text as it is.',
  args,
  makes: 'text',
  examples: [
    {
      args: 'strip',
      in: '<p>Soft &amp; warm.</p><ul><li>Wool</li><li>5&nbsp;kg</li></ul>',
      out: 'Soft & warm.\nWool\n5 kg',
    },
    { args: 'strip', in: 'size < 5 and <b>light</b>', out: 'size < 5 and light' },
    { args: 'strip', in: '<style>p { color: red }</style><br>' },
    { args: 'keep', in: '<p>Soft</p>', out: '<p>Soft</p>' },
  ],
  make: (what) => (what === 'keep' ? (text) => text : (text) => stripped(text) || undefined),
});

/** Tags that end a line. Cells of a table stay on one line. */
const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody thead tr ul'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
/** Elements whose content is not shown to people. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript']);

const TAG = /<(?:!--|[!?]|\/?([a-z][a-z0-9-]*))/giy;

function stripped(text: string): string {
  let out = '';
  let from = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    const end = tag ? endOf(tag) : at + 1;
    // A tag that is never closed is text, and so is everything after it.
    if (end < 0) break;
    if (tag) {
      out += text.slice(from, at).replace(/[ \t\r\n\f]+/g, ' ') + separatorFor(nameOf(tag));
      from = end;
    }
    at = text.indexOf('<', end);
  }
  out += text.slice(from).replace(/[ \t\r\n\f]+/g, ' ');
  return libraries
    .entities()
    .decodeHTML(out)
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function separatorFor(name: string): string {
  return BLOCKS.has(name) ? '\n' : CELLS.has(name) ? ' ' : '';
}

/** Name of a tag in lower case; '' for a comment or a declaration. */
function nameOf([, name = '']: RegExpExecArray): string {
  return name.toLowerCase();
}

/** End of a tag that `TAG` found, or of the whole element if its content is hidden; -1 if it is never closed. */
function endOf(tag: RegExpExecArray): number {
  const { input: text, index: at } = tag;
  const [start] = tag;
  const name = nameOf(tag);
  if (start === '<!--') {
    const end = text.indexOf('-->', at);
    return end < 0 ? -1 : end + 3;
  }
  let closed = text.indexOf('>', at);
  if (closed >= 0 && HIDDEN.has(name) && !start.startsWith('</')) {
    const close = new RegExp(`</${name}`, 'gi');
    close.lastIndex = closed;
    const end = close.exec(text)?.index;
    closed = end === undefined ? -1 : text.indexOf('>', end);
  }
  return closed < 0 ? -1 : closed + 1;
}
