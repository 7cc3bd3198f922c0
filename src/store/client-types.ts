import type { Delivery, RunStopped, StoreRequest } from '../model/index.ts';
import type { SeenDoubts } from './delivery/doubts.ts';
import type { WaitInfo } from './delivery/outage.ts';
import type { Waiting } from './delivery/traffic.ts';
import type { ProxyServer } from './http/proxy.ts';
import type { Mask } from './mask/mask.ts';
import type { InDoubtPolicy } from './response/rules.ts';

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

export interface StoreClient {
  /** Obtains a token, or renews it. `expiresAt` is in epoch ms. Throws RunStopped. */
  authenticate(): Promise<{ readonly expiresAt?: number; readonly storeId?: string }>;
  /**
   * All attempts for one request. Resolves for every HTTP outcome, a refusal as well as an unanswered create; rejects
   * only with RunStopped, and then the request was certainly not applied, or is an update or read. `beforeSending` is
   * awaited once, when nothing else keeps the first byte back; where it rejects, so does this, and nothing was sent.
   */
  deliver(request: StoreRequest, beforeSending?: () => Promise<void>): Promise<Delivery>;
  /** Requests a second that the store admits, as far as that was found out: worth telling the next run's client. */
  learnedRate(): number | undefined;
  /** Whether that was found out by this client, and is not just what it was told. */
  isRateFound(): boolean;
  /** What is waited for now, and for how long; undefined where nothing is. */
  waiting(): Waiting | undefined;
  /** Ends the waiting deliveries, and all that come, with this reason; those in flight go on. */
  stop(why: RunStopped): void;
  /**
   * Ends the waiting deliveries and requests for tokens with RunStopped('interrupted'), lets records in flight be
   * answered for up to `graceMs`, then cuts them off: a create that is cut off resolves as in doubt.
   */
  close(graceMs?: number): Promise<void>;
}
