import { REQUEST_FAULTS } from './endings.ts';
import { nearestFault } from './nearest.ts';
import {
  choice,
  duration,
  FAULT_DURATION,
  InvalidValue,
  positive,
  type Read,
  scoped,
  wholeNumberValue,
} from './values.ts';
import { type FaultTiming, readTiming, TIMING_FORM } from './when.ts';

/** A fault: the form of its value, and its effect. Checks, help and docs are derived from it. */
export interface Fault<V> {
  readonly group: 'rate' | 'time' | 'requests' | 'late' | 'tokens' | 'lists' | 'answers' | 'seed';
  /** Form of the value, in words. */
  readonly takes: string;
  readonly says: string;
  readonly example: string;
  readonly read: Read<V>;
}

/** Reads `100/60s`: at most 100 requests in each window of 60 seconds. */
const window: Read<{ most: number; lengthMs: number }> = (text) => {
  const [, most = '', length = ''] = /^([1-9]\d{0,9})\/(.+)$/.exec(text) ?? [];
  const lengthMs = duration(length);
  return most === '' || lengthMs instanceof InvalidValue || lengthMs === 0
    ? new InvalidValue('a number and a length, such as 100/60s')
    : { most: Number(most), lengthMs };
};

export const OUTAGES = ['refuse', 'reset', 'hang', '503'] as const;
export interface OutagePlan {
  readonly how: (typeof OUTAGES)[number];
  readonly lastsMs: number;
  /** A time after the faults were set, or the number of a request; requests of all kinds count, from 1. */
  readonly begins: { readonly afterMs: number } | { readonly atRequest: number };
}

const OUTAGE = `${OUTAGES.join(', ')} with a duration, such as refuse:5s, or refuse:5s:2s or refuse:5s:#500 to begin later`;

/** Reads `refuse:5s`, `refuse:5s:2s` (begins after two seconds), and `refuse:5s:#500` (begins with the 500th request). */
const outage: Read<OutagePlan> = (text) => {
  const [word, lasts = '', after = '0s', ...more] = text.split(':');
  const how = OUTAGES.find((each) => each === word);
  const lastsMs = duration(lasts);
  const [, atRequest] = /^#([1-9]\d{0,9})$/.exec(after) ?? [];
  const afterMs = atRequest === undefined ? duration(after) : 0;
  if (
    how === undefined ||
    lastsMs instanceof InvalidValue ||
    afterMs instanceof InvalidValue ||
    more.length > 0
  )
    return new InvalidValue(OUTAGE);
  return {
    how,
    lastsMs,
    begins: atRequest === undefined ? { afterMs } : { atRequest: Number(atRequest) },
  };
};

/** Reads `insert:2`: after each second page. */
const shift: Read<{ how: 'insert' | 'remove'; every: number }> = (text) => {
  const [, how, every] = /^(insert|remove):([1-9]\d{0,8})$/.exec(text) ?? [];
  return how === undefined
    ? new InvalidValue('insert:N or remove:N')
    : { how: how as 'insert' | 'remove', every: Number(every) };
};

/** Reads `+5`, `-5` or `absent`. */
const total: Read<number | 'absent'> = (text) =>
  text === 'absent' ? text : /^[+-]\d{1,9}$/.test(text) ? Number(text) : new InvalidValue('+N, -N or absent');

const requestFaults = Object.fromEntries(
  Object.entries(REQUEST_FAULTS).map(([name, { late, says }]): [string, Fault<FaultTiming>] => [
    name,
    { group: late ? 'late' : 'requests', takes: TIMING_FORM, says, example: '2%@create', read: readTiming },
  ]),
) as Record<keyof typeof REQUEST_FAULTS, Fault<FaultTiming>>;

export const FAULTS = {
  seed: {
    group: 'seed',
    takes: 'a whole number',
    says: 'is the start of all random decisions: the same number, the same faults. 1 unless set',
    example: '7',
    read: wholeNumberValue(0),
  },
  rate: {
    group: 'rate',
    takes: 'requests a second',
    says: 'answers 429 to requests beyond this rate; requests for tokens do not count',
    example: '20',
    read: positive,
  },
  burst: {
    group: 'rate',
    takes: 'a whole number',
    says: 'is how many requests of `rate` may come at once; a tenth of a second of it unless set',
    example: '5',
    read: wholeNumberValue(1),
  },
  window: {
    group: 'rate',
    takes: 'a number and a length',
    says: 'admits this number of requests in each window of time, and answers 429 to others; tokens do not count',
    example: '100/60s',
    read: window,
  },
  'retry-after': {
    group: 'rate',
    takes: 'none, seconds, date, junk, or mixed for any of them by chance',
    says: 'is the form of `Retry-After` in a 429, and in a 503 in the words of the API. none unless set',
    example: 'seconds',
    read: choice('none', 'seconds', 'date', 'junk', 'mixed'),
  },
  'rate-headers': {
    group: 'rate',
    takes: 'none, ratelimit or x-ratelimit',
    says: 'gives the number of requests left with every answer. none unless set',
    example: 'x-ratelimit',
    read: choice('none', 'ratelimit', 'x-ratelimit'),
  },
  latency: {
    group: 'time',
    takes: FAULT_DURATION,
    says: 'delays answers by this time; the request is processed at once',
    example: '50ms@create',
    read: scoped(duration),
  },
  jitter: {
    group: 'time',
    takes: FAULT_DURATION,
    says: 'adds a random time up to this to `latency`, for the same requests',
    example: '20ms',
    read: duration,
  },
  outage: {
    group: 'time',
    takes:
      'refuse, reset, hang or 503, how long, and after what time or with which request (at once unless said)',
    says: 'is away for that long: refuses connections, resets them, never answers, or answers 503',
    example: 'refuse:5s:2s',
    read: outage,
  },
  ...requestFaults,
  'token-life': {
    group: 'tokens',
    takes: FAULT_DURATION,
    says: 'is how long an access token is valid',
    example: '2s',
    read: duration,
  },
  'expire-time': {
    group: 'tokens',
    takes: 'seconds, milliseconds, epoch-seconds, epoch-milliseconds, text, absent or absurd',
    says: 'is what `expireTime` says. seconds unless set',
    example: 'epoch-milliseconds',
    read: choice(
      'seconds',
      'milliseconds',
      'epoch-seconds',
      'epoch-milliseconds',
      'text',
      'absent',
      'absurd',
    ),
  },
  'token-form': {
    group: 'tokens',
    takes: 'jwt or opaque',
    says: 'is whether a token carries its own end. jwt unless set',
    example: 'opaque',
    read: choice('jwt', 'opaque'),
  },
  refresh: {
    group: 'tokens',
    takes: 'revoked',
    says: 'refuses every refresh token',
    example: 'revoked',
    read: choice('revoked'),
  },
  'expired-status': {
    group: 'tokens',
    takes: '401 or 400',
    says: 'is the status of a request with an expired token. 401 unless set',
    example: '400',
    read: choice('401', '400'),
  },
  shift: {
    group: 'lists',
    takes: 'insert or remove, and after how many pages',
    says: 'puts a new item in front of a seeded list, or removes its first one, after this number of pages',
    example: 'insert:2',
    read: shift,
  },
  'last-page-grows': {
    group: 'lists',
    takes: 'a whole number',
    says: 'appends an item to a seeded list after its last page was given, this number of times',
    example: '3',
    read: wholeNumberValue(1),
  },
  'page-limit': {
    group: 'lists',
    takes: 'a whole number',
    says: 'gives at most this number of items a page, and says so in `per_page`',
    example: '10',
    read: wholeNumberValue(1),
  },
  total: {
    group: 'lists',
    takes: '+N, -N or absent',
    says: 'says a wrong `total`, or none',
    example: '+5',
    read: total,
  },
  'ignore-page': {
    group: 'lists',
    takes: 'yes',
    says: 'gives the first page whatever is asked for',
    example: 'yes',
    read: choice('yes'),
  },
  'empty-page': {
    group: 'lists',
    takes: TIMING_FORM,
    says: 'gives a page without items',
    example: '#3',
    read: readTiming,
  },
  envelope: {
    group: 'answers',
    takes: 'data, result, named or bare',
    says: 'is what a created or updated record comes in: {status, data}, {result}, {product}, or nothing',
    example: 'result',
    read: choice('data', 'result', 'named', 'bare'),
  },
} satisfies Readonly<Record<string, Fault<unknown>>>;

export type FaultName = keyof typeof FAULTS;

/** Values of faults by name, as users give them. */
export type GivenFaults = Readonly<Record<string, string | number>>;

/** Parsed values of faults by name. */
export type Faults = {
  readonly [name in FaultName]?: Exclude<ReturnType<(typeof FAULTS)[name]['read']>, InvalidValue>;
};

/** Thrown for faults with an unknown name or a malformed value. */
export class FaultError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

function noSuchFault(name: string): string {
  const names = Object.keys(FAULTS);
  return `There is no fault "${name}".${guess(nearestFault(name, names))} There are ${names.join(', ')}.`;
}

function guess(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Parses faults. Throws FaultError with all mistakes. */
export function readFaults(given: GivenFaults): Faults {
  const problems: string[] = [];
  const faults: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(FAULTS, name)) {
      problems.push(noSuchFault(name));
      continue;
    }
    const read = FAULTS[name as FaultName].read(String(value));
    if (read instanceof InvalidValue)
      problems.push(`The fault ${name} takes ${read.expected}; found "${value}".${guess(read.meant)}`);
    else faults[name] = read;
  }
  if (problems.length > 0) throw new FaultError(problems);
  return faults as Faults;
}
