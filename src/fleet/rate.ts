import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../postgres/index.ts';
import type { SharedLimit } from '../store/index.ts';

/** Permits of a shared limit. The first may be used `waitMs` from now, and each further one `spacingMs` later. */
export interface Portion {
  readonly waitMs: number;
  readonly count: number;
  readonly spacingMs: number;
}

/** Seconds of a portion: each takes one round trip to the database. */
const PORTION_S = 0.2;

/**
 * How late a permit may be used, in seconds. Late ones of one worker may leave together with those of another in time, so
 * all permits are spaced as if a second was so much longer.
 */
const LATEST_S = 0.05;

/**
 * Leases the next portion of a limit, by the clock of Postgres. No second has more permits than the limit, however many
 * workers ask. Undefined if the key has no limit.
 */
export async function leasePortion(sql: Sql, key: string): Promise<Portion | undefined> {
  const [line] = await sql.query<Portion>(
    `update rate set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => ${COUNT} * ${SPACING_S})
     where key = $1
     returning ${COUNT} as "count", ${SPACING_S} * 1000 as "spacingMs",
       extract(epoch from next_at - make_interval(secs => ${COUNT} * ${SPACING_S}) - clock_timestamp())::float8 * 1000 as "waitMs"`,
    [key],
  );
  return line;
}

const COUNT = `greatest(1, floor(per_second * ${PORTION_S}))`;
const SPACING_S = `(${1 + LATEST_S} / per_second)`;

/** Between two tries while the database is away. */
const RETRY_MS = 500;

/** Between two looks at a key without a limit, which may get one. */
const NO_LIMIT_MS = 10_000;

export interface SharedRateOptions {
  /** Called when no permits can be leased: requests wait meanwhile. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Hands out permits of the limit of a key to all stores of this process that have the key. */
export function createSharedRate(sql: Sql, key: string, options: SharedRateOptions = {}): SharedLimit {
  const { onTrouble = () => {}, now = () => performance.now() } = options;
  const waiting: (() => void)[] = [];
  /** Until when unused permits can be used. */
  let spare: number[] = [];
  let isLeasing = false;
  let freeUntil = Number.NEGATIVE_INFINITY;

  function takeSpare(): boolean {
    const time = now();
    spare = spare.filter((until) => until >= time);
    return spare.shift() !== undefined;
  }

  /** Leases portions while requests wait. */
  async function lease(): Promise<void> {
    if (isLeasing) return;
    isLeasing = true;
    while (waiting.length > 0) {
      try {
        const portion = await leasePortion(sql, key);
        if (portion !== undefined) await handOut(portion, now());
        else letAllThrough();
      } catch (error) {
        onTrouble(error);
        await sleep(RETRY_MS);
      }
    }
    // Here, not once the promise has resolved: a request that comes in between would wait for ever.
    isLeasing = false;
  }

  function letAllThrough(): void {
    freeUntil = now() + NO_LIMIT_MS;
    for (const go of waiting.splice(0)) go();
  }

  async function handOut({ waitMs, count, spacingMs }: Portion, leasedMs: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      const time = leasedMs + waitMs + each * spacingMs;
      const early = time - now();
      if (early > 0) await sleep(Math.ceil(early));
      const until = time + LATEST_S * 1000;
      // This process was held up: the permit has lapsed.
      if (now() > until) continue;
      const go = waiting.shift();
      if (go) go();
      else spare.push(until);
    }
  }

  return {
    permit() {
      if (now() < freeUntil || (waiting.length === 0 && takeSpare())) return undefined;
      return new Promise<void>((go) => {
        waiting.push(go);
        void lease();
      });
    },
  };
}
