import type { FieldFigures, OpenBucket, OpenFigures, OpenValue, ValueInRow } from '../../model/index.ts';
import type { LookField } from './fields.ts';
import { addToTail, createTail, openTail, type Tail } from './tail.ts';

/**
 * Rows that are looked at closely: the header and a thousand below it, and a part of the others. To do so with all would cost a tenth of a
 * check.
 */
export const [CLOSE_ROWS, CLOSE_EVERY] = [1001, 32];

/**
 * Values of the sample. It has those with the smallest hashes, so it does not depend on the order of the records, it is exact if
 * there are fewer, and the share of repeated ones in it is an estimate of the share in all.
 */
const MAX_SAMPLE = 128;
const MAX_CHARACTERS = 60;
const MAX_FREQUENT = 3;
/** Buckets for each power of e: a value differs from others of its bucket by at most a tenth. */
const BUCKETS = 10;
const [ZERO, BELOW_ZERO] = [-10_000, -10_001];
const HASHES = 2 ** 32;

type Mutable<List extends readonly unknown[]> = { -readonly [At in keyof List]: List[At] };

/**
 * The values of one field. Its size does not depend on how many there are. It is plain data with functions beside it: there is one for
 * each block of a file, and methods of its own would be compiled again for each. Each is created with all fields, of the types
 * that they keep: otherwise V8 compiles the functions that read them again.
 */
export interface Figures {
  readonly field: LookField;
  readonly sample: Map<number, Mutable<OpenValue>>;
  readonly spread: Map<number, Mutable<OpenBucket>>;
  readonly highest: Tail;
  readonly least: Tail;
  /** Hash from which on values are not in the sample. */
  limit: number;
  /** Infinity, in row 0, if there is none. */
  readonly lowest: Mutable<ValueInRow<number>>;
  count: number;
  /** Number of values in the sample's rows. */
  compared: number;
}

export function createFigures(field: LookField, earlier?: OpenFigures): Figures {
  const figures: Figures = {
    field,
    sample: new Map(),
    spread: new Map(),
    highest: createTail(1),
    least: createTail(-1),
    limit: HASHES,
    lowest: [Number.POSITIVE_INFINITY, 0],
    count: 0,
    compared: 0,
  };
  if (earlier) mergeFigures(figures, earlier);
  return figures;
}

/** True if a row is looked at closely. */
export function isClose(row: number): boolean {
  return row <= CLOSE_ROWS || row % CLOSE_EVERY === 0;
}

/** Adds a number to the extreme ones. Called for each record. */
export function addExtreme(figures: Figures, value: number, row: number): void {
  const { highest, least } = figures;
  addLowest(figures, value, row);
  if (value >= highest.limit) addToTail(highest, value, 1, row);
  if (value > 0 && -value >= least.limit) addToTail(least, value, 1, row);
}

function addLowest({ lowest }: Figures, value: number, row: number): void {
  if (value >= lowest[0]) return;
  lowest[0] = value;
  lowest[1] = row;
}

/** Adds the value of a record whose row is looked at closely. */
export function addValue(figures: Figures, value: unknown, row: number): void {
  if (typeof value === 'number') addToSpread(figures, bucketOf(value), 1, value, row);
  else if (figures.field.kind === 'list') {
    if (Array.isArray(value) && value.length > 0) figures.count++;
    return;
  } else if (typeof value !== 'string' || value === '') return;
  figures.count++;
  if (row > CLOSE_ROWS) return;
  figures.compared++;
  const hash = hashOf(value);
  if (hash < figures.limit) addToSample(figures, hash, 1, row, shownPart(figures.field, value));
}

function shownPart({ isShown }: LookField, value: number | string): number | string | undefined {
  if (typeof value === 'number') return value;
  return isShown ? value.slice(0, MAX_CHARACTERS) : undefined;
}

function addToSample(
  figures: Figures,
  hash: number,
  times: number,
  row: number,
  value: number | string | undefined,
): void {
  const { sample } = figures;
  const known = sample.get(hash);
  if (known) {
    known[1] += times;
    return;
  }
  sample.set(hash, value === undefined ? [hash, times, row] : [hash, times, row, value]);
  // Cut at twice the size, so that the limit is seldom searched.
  if (sample.size >= 2 * MAX_SAMPLE) cutSample(figures);
}

function cutSample(figures: Figures): void {
  const hashes = Float64Array.from(figures.sample.keys()).sort();
  figures.limit = hashes[MAX_SAMPLE] as number;
  for (const hash of hashes.subarray(MAX_SAMPLE)) figures.sample.delete(hash);
}

function addToSpread({ spread }: Figures, bucket: number, times: number, value: number, row: number): void {
  const known = spread.get(bucket);
  if (known) known[1] += times;
  else spread.set(bucket, [bucket, times, value, row]);
}

/** Adds the values of later records. */
export function mergeFigures(figures: Figures, other: OpenFigures): void {
  const { sample, spread = [], lowest, highest = [], least = [], count, compared } = other;
  figures.count += count;
  figures.compared += compared;
  for (const [hash, times, row, value] of sample)
    if (hash < figures.limit) addToSample(figures, hash, times, row, value);
  for (const [bucket, times, value, row] of spread) addToSpread(figures, bucket, times, value, row);
  if (lowest) addLowest(figures, ...lowest);
  for (const [value, times, row] of highest) addToTail(figures.highest, value, times, row);
  for (const [value, times, row] of least) addToTail(figures.least, value, times, row);
}

export function openFigures(figures: Figures): OpenFigures {
  const { field, sample, spread, lowest, highest, least, count, compared } = figures;
  if (sample.size > MAX_SAMPLE) cutSample(figures);
  return {
    ...{ count, compared, sample: [...sample.values()].sort((a, b) => a[0] - b[0]) },
    ...(field.kind === 'number' && lowest[0] !== Number.POSITIVE_INFINITY
      ? {
          spread: [...spread.values()].sort(([a], [b]) => a - b),
          ...{ lowest: [...lowest], highest: openTail(highest), least: openTail(least) },
        }
      : {}),
  };
}

/** Returns the number of a value's bucket; larger values have larger numbers. */
function bucketOf(value: number): number {
  return value > 0 ? Math.floor(Math.log(value) * BUCKETS) : value < 0 ? BELOW_ZERO : ZERO;
}

const FLOAT = new Float64Array(1);
const HALVES = new Uint32Array(FLOAT.buffer);

/** FNV-1a, with a final mix, since the smallest hashes must be a fair choice. */
function hashOf(value: number | string): number {
  let hash = 0x811c9dc5;
  if (typeof value === 'number') {
    FLOAT[0] = value;
    hash = Math.imul(hash ^ (HALVES[0] as number), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15) ^ (HALVES[1] as number), 0x01000193);
  } else {
    for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** True if the sample has all values, so that it counts exactly. */
export function isWhole({ sample }: OpenFigures): boolean {
  return sample.length < MAX_SAMPLE;
}

/** The figures as people see them. */
export function shownFigures(field: string, open: OpenFigures): FieldFigures {
  const { count, compared, sample, spread = [], lowest, highest: [highest] = [] } = open;
  const frequent = isWhole(open) ? frequentOf(sample) : [];
  return {
    ...{ field, count },
    ...(sample.length > 0 ? { different: differentIn(open) } : {}),
    ...(isWhole(open) ? {} : { about: true }),
    ...(sample.length > 0 && compared < count ? { compared } : {}),
    ...(lowest && highest ? { lowest, highest: [highest[0], highest[2]] } : {}),
    ...(spread.length > 0 ? { middle: at(spread, 0.5) } : {}),
    ...(frequent.length > 0 ? { frequent } : {}),
  };
}

/** The number of different values among those that were compared; exact if the sample has all of them. */
export function differentIn(open: OpenFigures): number {
  const { sample, compared } = open;
  const last = sample.at(-1)?.[0];
  if (isWhole(open) || last === undefined) return sample.length;
  return Math.min(compared, Math.round(((sample.length - 1) * HASHES) / last));
}

/** Values that more than one record has, the most frequent first. */
function frequentOf(sample: OpenFigures['sample']): [value: number | string, count: number][] {
  return sample
    .flatMap(([, times, , value]): [number | string, number][] =>
      value === undefined || times === 1 ? [] : [[value, times]],
    )
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_FREQUENT);
}

/** A value near the one that a share of the values does not exceed: 0.5 is the middle. */
export function at(spread: readonly OpenBucket[], share: number): ValueInRow {
  const total = spread.reduce((sum, [, times]) => sum + times, 0);
  const wanted = Math.max(1, Math.ceil(total * share));
  let passed = 0;
  for (const [, times, value, row] of spread) {
    passed += times;
    if (passed >= wanted) return [value, row];
  }
  throw new Error('a spread has a bucket');
}
