import type { OpenTail } from '../../model/index.ts';

/** Values that are kept at each end. */
export const MAX_TAIL = 5;

/** The largest of some numbers, or the smallest, each with its count and first row. */
export interface Tail {
  /** 1 for the largest, -1 for the smallest. */
  readonly sign: 1 | -1;
  readonly values: [value: number, count: number, row: number][];
  /** Signed value below which nothing is kept. */
  limit: number;
}

export function createTail(sign: 1 | -1): Tail {
  return { sign, values: [], limit: Number.NEGATIVE_INFINITY };
}

export function addToTail(tail: Tail, value: number, count: number, row: number): void {
  const { sign, values } = tail;
  const size = value * sign;
  if (size < tail.limit) return;
  let at = 0;
  while (at < values.length && (values[at] as Tail['values'][number])[0] * sign > size) at++;
  const known = values[at];
  if (known && known[0] === value) {
    known[1] += count;
    return;
  }
  values.splice(at, 0, [value, count, row]);
  if (values.length > MAX_TAIL) values.pop();
  if (values.length === MAX_TAIL) tail.limit = (values[MAX_TAIL - 1] as Tail['values'][number])[0] * sign;
}

export function openTail({ values }: Tail): OpenTail {
  return values.map(([value, count, row]) => [value, count, row] as const);
}
