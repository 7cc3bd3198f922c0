import { nearestFault } from './nearest.ts';

/** Returned in place of a value that could not be read, with the expected form. */
export class InvalidValue {
  readonly expected: string;
  /** The word that was probably meant; undefined if none is near. */
  readonly meant: string | undefined;
  constructor(expected: string, meant?: string) {
    this.expected = expected;
    this.meant = meant;
  }
}

export type Read<V> = (text: string) => V | InvalidValue;

/** Kinds of requests, for faults that only some of them have. */
export const KINDS = ['create', 'update', 'list', 'token', 'other'] as const;
export type RequestKind = (typeof KINDS)[number];

export function wholeNumberValue(least: number): Read<number> {
  return (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= least
      ? Number(text)
      : new InvalidValue(`a whole number of ${least} or more`);
}

export const positive: Read<number> = (text) =>
  /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : new InvalidValue('a number above 0');

export function choice<V extends string>(...words: readonly V[]): Read<V> {
  return (text) =>
    words.find((word) => word === text) ??
    new InvalidValue(`one of ${words.join(', ')}`, nearestFault(text, words));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const FAULT_DURATION = 'a duration such as 250ms, 5s or 365d';

/** Reads a duration as milliseconds. */
export const duration: Read<number> = (text) => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return amount === undefined || factor === undefined
    ? new InvalidValue(FAULT_DURATION)
    : Number(amount) * factor;
};

/** Reads `text@kind` as the value of `text` with its kind. Without a kind, all requests except those for tokens count. */
export function scoped<V>(
  read: Read<V>,
): Read<{ readonly value: V; readonly kind: RequestKind | undefined }> {
  return (text) => {
    const [before = '', word, ...more] = text.split('@');
    const kind = KINDS.find((each) => each === word);
    if (more.length > 0 || (word !== undefined && kind === undefined))
      return new InvalidValue(`after the @ one of ${KINDS.join(', ')}`, nearestFault(word ?? '', KINDS));
    const value = read(before);
    return value instanceof InvalidValue ? value : { value, kind };
  };
}

/** Returns true if a fault with this scope concerns requests of this kind. */
export function concerns(scope: RequestKind | undefined, kind: RequestKind): boolean {
  return scope === undefined ? kind !== 'token' : scope === kind;
}
