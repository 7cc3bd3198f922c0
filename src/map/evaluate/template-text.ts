/** Reads one text out of a row of a file, or out of an item of the store; empty where there is none. */
type Read<From extends unknown[]> = (...from: From) => string;

/** A template whose values are all empty is absent; the fixed text alone says nothing. */
export function templateText<From extends unknown[]>(parts: readonly (string | Read<From>)[]): Read<From> {
  return (...from) => {
    let filled = false;
    const text = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = part(...from);
      filled ||= value !== '';
      return value;
    });
    return filled ? text.join('').trim() : '';
  };
}
