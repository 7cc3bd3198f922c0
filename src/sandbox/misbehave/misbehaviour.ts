import { pick, roll } from '../random.ts';
import type { Reply } from '../reply.ts';
import { busy, type FaultEnding, REQUEST_FAULTS } from './endings.ts';
import type { Faults, OutagePlan } from './faults.ts';
import { fixedWindow, type Limit, tokenBucket } from './limits.ts';
import { type PageHabits, pageHabits } from './pages.ts';
import { concerns, type RequestKind } from './values.ts';
import { saltOf, striking } from './when.ts';

type NamedLimit = Limit & { readonly name: string };

const NO_WAIT = { name: '', waitMs: 0 };

/** Decision on one request. */
export interface Plan {
  /** Name of the fault that applies. Undefined: none. */
  readonly fault?: string;
  /** True if the store processes the request. */
  readonly applies: boolean;
  /** Returns the ending for the answer of the store. */
  readonly end: (reply: Reply) => FaultEnding;
  /** Delay before the ending. */
  readonly delayMs: number;
}

/** Decides on each request, in order of arrival. */
export interface Misbehaviour {
  readonly faults: Faults;
  readonly page: PageHabits;
  /** Returns the decision on a request. Call it exactly once for each. */
  plan(kind: RequestKind): Plan;
}

const JITTER = saltOf('jitter');
const RETRY_AFTER = saltOf('retry-after');
const RETRY_AFTERS = ['none', 'seconds', 'date', 'junk'] as const;

/** Argument of endings that do not use the answer. */
const NOTHING: Reply = { status: 0, text: '' };

export interface MisbehaviourOptions {
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Called when an outage begins that waited for a request. */
  readonly onOutageAtRequest?: () => void;
}

export function createMisbehaviour(faults: Faults, options: MisbehaviourOptions): Misbehaviour {
  const { now, wallNow, onOutageAtRequest } = options;
  const { seed = 1, rate, burst, window } = faults;
  const startedAt = now();
  const limits: NamedLimit[] = [];
  if (rate !== undefined)
    limits.push({ name: 'rate', ...tokenBucket(rate, burst ?? Math.max(1, Math.round(rate / 10))) });
  if (window !== undefined) limits.push({ name: 'window', ...fixedWindow(window.most, window.lengthMs) });
  const strikes = Object.entries(REQUEST_FAULTS).flatMap(([name, fault]) => {
    const rules = faults[name as keyof typeof REQUEST_FAULTS];
    return rules === undefined ? [] : [{ name, fault, hits: striking(rules, seed, saltOf(name)) }];
  });
  const { outage } = faults;
  let outageAtMs = outage && 'afterMs' in outage.begins ? startedAt + outage.begins.afterMs : undefined;
  let arrived = 0;

  /** Counts a request, and begins an outage that waited for it. */
  function countRequest(): void {
    arrived += 1;
    if (outage === undefined || !('atRequest' in outage.begins) || outage.begins.atRequest !== arrived)
      return;
    outageAtMs = now();
    onOutageAtRequest?.();
  }

  function delayMs(kind: RequestKind): number {
    const { latency, jitter = 0 } = faults;
    const fixed = latency !== undefined && concerns(latency.kind, kind) ? latency.value : 0;
    return fixed + (jitter > 0 && concerns(latency?.kind, kind) ? roll(seed, arrived, JITTER) * jitter : 0);
  }

  function retryAfter(waitMs: number, request: number): string[] {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const form = faults['retry-after'];
    switch (form === 'mixed' ? pick(RETRY_AFTERS, roll(seed, request, RETRY_AFTER)) : form) {
      case 'seconds':
        return ['retry-after', String(seconds)];
      case 'date':
        // A date has whole seconds: rounded down, it would invite a request too early.
        return ['retry-after', new Date(Math.ceil((wallNow() + waitMs) / 1000) * 1000).toUTCString()];
      case 'junk':
        return ['retry-after', 'soon'];
      default:
        return [];
    }
  }

  /** Returns the limit with the longest wait. If none refuses, counts the request in each and returns undefined. */
  function refusal(): { readonly name: string; readonly waitMs: number } | undefined {
    const nowMs = now();
    const waits = limits.map(({ name, waitMs }) => ({ name, waitMs: waitMs(nowMs) }));
    const longest = waits.reduce((most, each) => (each.waitMs > most.waitMs ? each : most), NO_WAIT);
    if (longest.waitMs > 0) return longest;
    for (const limit of limits) limit.take(nowMs);
    return undefined;
  }

  function withRateHeaders(ending: FaultEnding): FaultEnding {
    const form = faults['rate-headers'] ?? 'none';
    if (limits.length === 0 || form === 'none' || ending.how !== 'answer') return ending;
    // Headers describe the limit with fewer requests left.
    const states = limits.map((limit) => limit.state(now()));
    const { limit: most, left, resetMs } = states.reduce((a, b) => (b.left < a.left ? b : a));
    const seconds = Math.ceil(resetMs / 1000);
    const headers =
      form === 'ratelimit'
        ? ['ratelimit', `"default";r=${left};t=${seconds}`]
        : [
            ...['x-ratelimit-limit', String(most), 'x-ratelimit-remaining', String(left)],
            ...['x-ratelimit-reset', String(Math.ceil((wallNow() + resetMs) / 1000))],
          ];
    return {
      how: 'answer',
      reply: { ...ending.reply, headers: [...(ending.reply.headers ?? []), ...headers] },
    };
  }

  return {
    faults,
    page: pageHabits(faults),
    plan(kind) {
      countRequest();
      const request = arrived;
      // All faults decide, even if an earlier one applies: their decisions must not depend on each other.
      const struck = strikes.filter(({ hits }) => hits(kind));
      const delay = delayMs(kind);
      if (outage && isWithin(now(), outageAtMs, outage.lastsMs))
        return { ...OUTAGE_PLANS[outage.how], fault: 'outage', delayMs: 0 };
      const refused = concerns(undefined, kind) ? refusal() : undefined;
      if (refused !== undefined) {
        const ending = withRateHeaders({
          how: 'answer',
          reply: busy(429, retryAfter(refused.waitMs, request)),
        });
        return { fault: refused.name, applies: false, end: () => ending, delayMs: delay };
      }
      const [first] = struck;
      if (!first)
        return { applies: true, end: (reply) => withRateHeaders({ how: 'answer', reply }), delayMs: delay };
      const { name, fault } = first;
      return {
        fault: name,
        applies: fault.late,
        end: (reply) => fault.ending(reply, retryAfter(1000, request)),
        delayMs: delay,
      };
    },
  };
}

/** Returns true within `lastsMs` from `fromMs` on. False if `fromMs` is undefined. */
export function isWithin(nowMs: number, fromMs: number | undefined, lastsMs: number): boolean {
  return fromMs !== undefined && nowMs >= fromMs && nowMs < fromMs + lastsMs;
}

const OUTAGE_PLANS: Readonly<Record<OutagePlan['how'], Pick<Plan, 'applies' | 'end'>>> = {
  // Requests that were in flight when the port closed.
  refuse: { applies: false, end: () => ({ how: 'reset' }) },
  reset: { applies: false, end: () => ({ how: 'reset' }) },
  hang: { applies: false, end: () => ({ how: 'hang' }) },
  503: { applies: false, end: () => REQUEST_FAULTS['error-503'].ending(NOTHING, []) },
};
