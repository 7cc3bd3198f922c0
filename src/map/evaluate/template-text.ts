/** Reads one text from a row of a file, or from an item of the store; '' if there is none. */
type Read<From extends unknown[]> = (...from: From) => string;

/** A template is absent if all its values are empty, since its fixed text alone has no meaning. */
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
