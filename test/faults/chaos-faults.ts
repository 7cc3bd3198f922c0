import { OUTAGES } from '../../src/sandbox/misbehave/faults.ts';
import { randomFrom } from './products.ts';

/**
 * Faults of requests, all in one run: the share of requests, in per cent, and the length of a burst. Faults that cost
 * a whole deadline each are rare. Bursts of 502 are long enough to make the client stop creating and probe the store,
 * and too short to end the run.
 */
const MIX: Readonly<Record<string, { readonly percent: number; readonly burst?: number }>> = {
  'error-429': { percent: 1 },
  'error-503-json': { percent: 0.3 },
  'error-408': { percent: 0.1 },
  'error-500': { percent: 0.2 },
  'error-502': { percent: 0.02, burst: 20 },
  'error-503': { percent: 0.2 },
  'error-504': { percent: 0.1 },
  redirect: { percent: 0.1 },
  reset: { percent: 0.2 },
  hang: { percent: 0.04 },
  'late-reset': { percent: 0.3 },
  'late-hang': { percent: 0.04 },
  'late-500': { percent: 0.1 },
  'late-502': { percent: 0.1 },
  'late-503': { percent: 0.1 },
  'late-504': { percent: 0.1 },
  truncated: { percent: 0.2 },
  cut: { percent: 0.2 },
  trickle: { percent: 0.04 },
  html: { percent: 0.2 },
  empty: { percent: 0.2 },
  'no-id': { percent: 0.2 },
  'other-record': { percent: 0.2 },
  garbage: { percent: 0.2 },
};

/** Faults of token requests, after the first ones: a failure at first contact rightly ends the command. */
const AT_TOKENS: Readonly<Record<string, string>> = {
  'error-429': '5%@token',
  'error-500': '5%@token',
  reset: '5%@token',
  'late-reset': '5%@token',
  truncated: '#3@token,#9@token',
  html: '#5@token',
  empty: '#7@token',
};

/**
 * Creates in a row that fail while reads succeed, for every other seed: enough to stop the run, which is then
 * resumed.
 */
const STRETCH = 48;

/** The same for other seeds, with every sixteenth create answered, so that the share of failures stops the run. */
const ANSWERED = 16;
const LOSSY = 128;

/**
 * Answers of some seeds take longer than a reset of a connection, so that late answers come after an outage has
 * begun.
 */
const LATE = 'jitter=40ms';

const TOKEN_LIVES = ['1s', '2s', '3s'];
const TOKEN_FORMS = ['jwt', 'opaque'];
const EXPIRE_TIMES = ['seconds', 'milliseconds', 'epoch-seconds', 'epoch-milliseconds', 'absent', 'absurd'];
const REFRESHES = [[], ['refresh=revoked']];

/** A store with every kind of fault at once, the same for the same seed. */
export interface Trouble {
  /** In the notation of the sandbox: `late-reset=0.3%,#41`. */
  readonly faults: readonly string[];
  /** Most requests that may be lost before the store received them: those in flight when its port closed. */
  readonly unseen: number;
}

/** Each fault hits at random, and once at a fixed place, so that a short run has all of them too. */
export function troubleOf(seed: number, records: number, concurrency: number): Trouble {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const names = Object.keys(MIX)
    .map((name) => ({ name, order: random() }))
    .sort((a, b) => a.order - b.order);
  const struck = names.map(({ name }, n) => {
    const { percent, burst } = MIX[name] as { percent: number; burst?: number };
    const share = `${(percent * (0.5 + random())).toFixed(4)}%${burst === undefined ? '' : `x${burst}`}`;
    const place = 1 + Math.floor(((n + random()) * records) / names.length);
    const isStretch = name === 'error-504' && seed % 2 === 1;
    const isLossy = name === 'late-500' && seed % 4 === 2;
    const more = [
      isStretch ? `#${place}-${place + STRETCH - 1}@create` : undefined,
      isLossy ? lossyFrom(Math.min(place, records - LOSSY)) : undefined,
      AT_TOKENS[name],
    ];
    return `${name}=${[share, `#${place}`, ...more.filter((rule) => rule !== undefined)].join()}`;
  });
  // In turn, so that a few seeds have all of them.
  const how = OUTAGES[seed % OUTAGES.length] ?? 'reset';
  const outage = `${how}:${Math.round(800 + 700 * random())}ms:#${Math.round(records * (0.3 + 0.4 * random()))}`;
  return {
    faults: [
      ...[`seed=${seed}`, 'latency=1ms', seed % 3 === 0 ? LATE : 'jitter=4ms'],
      ...['retry-after=mixed', `outage=${outage}`],
      ...[`token-life=${pick(TOKEN_LIVES)}`, `token-form=${pick(TOKEN_FORMS)}`],
      ...[`expire-time=${pick(EXPIRE_TIMES)}`, ...pick(REFRESHES)],
      ...struck,
    ],
    unseen: how === 'refuse' ? concurrency : 0,
  };
}

/** All but every sixteenth create from this one on. */
function lossyFrom(place: number): string {
  const starts = Array.from({ length: LOSSY / ANSWERED }, (_, n) => place + n * ANSWERED);
  return starts.map((from) => `#${from}-${from + ANSWERED - 2}@create`).join();
}
