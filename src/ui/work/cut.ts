import { visible } from '../../model/index.ts';

/** A text that is cut says so. Characters that reorder text are shown as escapes. */
export function cut(text: string, longest: number): string {
  return visible(text.length > longest ? `${text.slice(0, Math.max(0, longest - 1))}…` : text);
}
