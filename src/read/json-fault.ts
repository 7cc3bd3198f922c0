/** The position at which text stops being JSON, and the token that is expected there. */
export interface JsonFault {
  /** Index of the first character that does not fit; the length of the text if it ends too early. */
  readonly at: number;
  readonly expected: string;
}

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
/** One piece of a string. A pattern for a whole string would backtrack over each piece. */
const PIECE = /[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const VALUE = 'a value (text in double quotes, a number, true, false, null, a list or an object)';

/**
 * Finds the first fault in text that JSON.parse refuses. The messages of JSON.parse rarely give a position. Runs for
 * broken items only.
 */
export function findFault(text: string): JsonFault {
  /** Closing brackets of the open lists and objects. */
  const open: string[] = [];
  let at = 0;
  /**
   * The token that is allowed next: a value, a name or the end of a new object, a name, or a separator after a value.
   */
  let next: 'value' | 'first-value' | 'first-name' | 'name' | 'follow' = 'value';

  for (;;) {
    at += lengthOf(BLANK, text, at);
    const char = text[at];
    const close = open.at(-1);
    const closes = char !== undefined && char === close;
    if (next === 'follow') {
      if (closes) open.pop();
      else if (char === ',' && close !== undefined) next = close === '}' ? 'name' : 'value';
      else return { at, expected: close === undefined ? 'nothing more' : `a comma or ${close}` };
      at++;
    } else if (next === 'first-name' || next === 'name') {
      if (closes && next === 'first-name') {
        open.pop();
        next = 'follow';
        at++;
        continue;
      }
      if (char !== '"') return { at, expected: 'a name in double quotes' };
      const fault = string();
      if (fault) return fault;
      at += lengthOf(BLANK, text, at);
      if (text[at] !== ':') return { at, expected: 'a colon' };
      at++;
      next = 'value';
    } else if (closes && next === 'first-value') {
      open.pop();
      next = 'follow';
      at++;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      next = char === '{' ? 'first-name' : 'first-value';
      at++;
    } else if (char === '"') {
      const fault = string();
      if (fault) return fault;
      next = 'follow';
    } else {
      const length = lengthOf(SCALAR, text, at);
      if (length === 0) return { at, expected: next === 'first-value' ? `${VALUE} or ]` : VALUE };
      at += length;
      next = 'follow';
    }
  }

  /** Steps over a string. Returns its fault, or undefined if it is sound. */
  function string(): JsonFault | undefined {
    at++;
    for (let length = 1; length > 0; at += length) length = lengthOf(PIECE, text, at);
    if (text[at] !== '"') return { at, expected: text[at] === '\\' ? 'a valid escape' : 'a closing quote' };
    at++;
    return undefined;
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
