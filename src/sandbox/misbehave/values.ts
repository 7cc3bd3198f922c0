/** What stands in place of a value that could not be read: what was expected. */
export class Wrong {
  readonly expected: string;
  constructor(expected: string) {
    this.expected = expected;
  }
}

export type Read<V> = (text: string) => V | Wrong;

/** What a request is, for faults that strike only some. */
export const KINDS = ['create', 'update', 'list', 'token', 'other'] as const;
export type FaultValueKind = (typeof KINDS)[number];

export function wholeNumberValue(least: number): Read<number> {
  return (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= least
      ? Number(text)
      : new Wrong(`a whole number of ${least} or more`);
}

export const positive: Read<number> = (text) =>
  /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : new Wrong('a number above 0');

export function choice<V extends string>(...words: readonly V[]): Read<V> {
  return (text) => words.find((word) => word === text) ?? new Wrong(`one of ${words.join(', ')}`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
export const FAULT_DURATION = 'a duration such as 250ms, 5s or 365d';

/** Milliseconds. */
export const duration: Read<number> = (text) => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return amount === undefined || factor === undefined ? new Wrong(FAULT_DURATION) : Number(amount) * factor;
};

/** `text@kind` → the text's value with its kind; without one, every request but those for tokens. */
export function scoped<V>(
  read: Read<V>,
): Read<{ readonly value: V; readonly kind: FaultValueKind | undefined }> {
  return (text) => {
    const [before = '', word, ...more] = text.split('@');
    const kind = KINDS.find((each) => each === word);
    if (more.length > 0 || (word !== undefined && kind === undefined))
      return new Wrong(`after the @ one of ${KINDS.join(', ')}`);
    const value = read(before);
    return value instanceof Wrong ? value : { value, kind };
  };
}

/** Whether something for `scope` concerns a request of this kind. */
export function concerns(scope: FaultValueKind | undefined, kind: FaultValueKind): boolean {
  return scope === undefined ? kind !== 'token' : scope === kind;
}
