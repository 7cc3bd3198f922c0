import type { AnswerCounts, BeforeSending, Delivery, RunStopped, StoreRequest } from '../model/index.ts';
import type { SeenDoubts } from './delivery/doubts.ts';
import type { WaitInfo } from './delivery/outage.ts';
import type { Waiting } from './delivery/traffic.ts';
import type { ProxyServer } from './http/proxy.ts';
import type { Mask } from './mask/mask.ts';
import type { SharedLimit } from './rate/shared-limit.ts';
import type { InDoubtPolicy } from './response/rules.ts';

export interface StoreClientOptions {
  /** Normalised by `normaliseBaseUrl`. */
  readonly baseUrl: string;
  /** Its secrets are masked here. */
  readonly proxy?: ProxyServer | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** From the first byte of a request to the last one of its answer. */
  readonly timeoutMs: number;
  /** Ceiling in requests a second; absent if only the store's own limit applies. */
  readonly rate?: number | undefined;
  /** A limit that other clients share. Requests wait for both limits. */
  readonly sharedLimit?: SharedLimit | undefined;
  /** The store's limit in requests a second, learned by an earlier run. */
  readonly learnedRate?: number | undefined;
  /** True if an earlier run found no limit. */
  readonly wasFree?: boolean | undefined;
  readonly inDoubt: InDoubtPolicy;
  /** The longest outage during a run before the run stops. */
  readonly giveUpAfterMs: number;
  readonly userAgent: string;
  /** True if the process is storeport's own, so that flags of V8 may be set for it. */
  readonly ownsProcess?: boolean | undefined;
  readonly log: StoreLog;
  /** Called with the reason when the run pauses, and with undefined when the run continues. */
  readonly onWait?: ((info: WaitInfo | undefined) => void) | undefined;
  /** Called once, when `learnedRate` keeps requests waiting. */
  readonly onHeldBack?: (() => void) | undefined;
  /** Called when a large share of new records ends in doubt. From then on they are sent one at a time. */
  readonly onManyDoubts?: ((seen: SeenDoubts) => void) | undefined;
  /** Shared with other writers of text; the secret and all tokens are added to it. */
  readonly mask?: Mask | undefined;
  /** Path of a harmless read that shows if the store answers again: see `probe.ts`. */
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
   * Makes all attempts for one request. Resolves for every HTTP outcome, a refusal as well as an unanswered create.
   * Throws only RunStopped, and then the request was certainly not applied, or is an update or read. `beforeSending` is
   * awaited when nothing else delays the first byte. If it rejects, so does this, and nothing was sent by this attempt.
   */
  deliver(request: StoreRequest, beforeSending?: BeforeSending): Promise<Delivery>;
  /** True if a text holds a secret of the store. An identifier in an answer cannot. */
  holdsSecret(text: string): boolean;
  /** Requests a second that the store admits, as far as known. The client of the next run starts from it. */
  learnedRate(): number | undefined;
  /** True if this client found that rate itself, and did not just get it as an option. */
  isRateFound(): boolean;
  /** True while no limit of the store is known, by this client or an earlier run. */
  isFree(): boolean;
  /** Requests a second that the store took without a limit; undefined if there were too few to tell. */
  freeRate(): number | undefined;
  /** The current wait and its length; undefined if nothing is waited for. */
  waiting(): Waiting | undefined;
  /** Ends of requests for records since the client began. */
  answers(): AnswerCounts;
  /** Ends waiting and later deliveries with this reason; requests in flight continue. */
  stop(why: RunStopped): void;
  /**
   * Ends waiting deliveries and requests for tokens with RunStopped('interrupted'). Requests in flight may be answered
   * for up to `graceMs` and are then cut off: a create that is cut off resolves as in doubt.
   */
  close(graceMs?: number): Promise<void>;
}
