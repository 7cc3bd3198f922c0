/** Header names in lower case; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request as written to the socket. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Encoded path and query, below the origin. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string | Buffer | undefined;
  /** Default: enough for a record, or for a page of records if the request has no body. */
  readonly maxAnswerBytes?: number;
  /** True if nothing is lost when it is cut off: closing does not wait for its answer. */
  readonly expendable?: boolean;
  /** Called just before its first byte is written. */
  readonly onBegin?: (() => void) | undefined;
  /** Called with a connected socket, just before the first byte is written. If true, nothing is, and the exchange ends. */
  readonly isTooOld?: (() => boolean) | undefined;
}

/**
 * How one HTTP exchange ended. Trouble is a value: `error` is set if no whole answer was read. A `status` beside it
 * shows that the answer had begun.
 */
export interface HttpResult {
  /**
   * True if the store may have seen the request: it was about to be written to a connected socket. The error cannot
   * tell, since ECONNRESET occurs before and after that moment.
   */
  readonly sent: boolean;
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  readonly body?: string;
  readonly error?: { readonly code: string; readonly message: string };
}
