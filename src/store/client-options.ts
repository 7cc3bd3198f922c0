import type { SeenDoubts } from './doubts.ts';
import type { Mask } from './mask.ts';
import type { WaitInfo } from './outage.ts';
import type { ProxyServer } from './proxy.ts';
import type { InDoubtPolicy } from './rules.ts';

export interface StoreClientOptions {
  /** As `normaliseBaseUrl` gives it. */
  readonly baseUrl: string;
  /** Its secrets are masked here. */
  readonly proxy?: ProxyServer | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** From the first byte of a request to the last one of its answer. */
  readonly timeoutMs: number;
  /** Requests a second at most; absent for no limit but what the store shows. */
  readonly rate?: number | undefined;
  /** The store's limit in requests a second, as an earlier run has learned it. */
  readonly learnedRate?: number | undefined;
  readonly inDoubt: InDoubtPolicy;
  /** The longest outage in mid-run before the run stops. */
  readonly giveUpAfterMs: number;
  readonly userAgent: string;
  readonly log: StoreLog;
  /** Called with the reason when the run pauses, and with undefined when it continues. */
  readonly onWait?: ((info: WaitInfo | undefined) => void) | undefined;
  /** Called once, when `learnedRate` keeps requests waiting. */
  readonly onHeldBack?: (() => void) | undefined;
  /** Called when a large share of new records ends in doubt, and they are sent one at a time from now on. */
  readonly onManyDoubts?: ((seen: SeenDoubts) => void) | undefined;
  /** Shared with whoever else writes text; the secret and all tokens are added to it. */
  readonly mask?: Mask | undefined;
  /** A harmless read, to find out whether the store is back: see `probe.ts`. */
  readonly probePath?: string | undefined;
  /** For tests: monotonic ms, waiting, and [0, 1). */
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

export interface StoreLog {
  /** `fields` is called only if the line is written. */
  debug(fields: () => object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
