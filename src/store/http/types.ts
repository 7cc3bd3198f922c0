/** Header names in lower case; a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request as it goes on the wire. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Encoded path and query, below the origin. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string | undefined;
  /** Nothing is lost when it is cut off, so closing does not wait for its answer. */
  readonly expendable?: boolean;
  /** Called just before its first byte is written. */
  readonly onBegin?: (() => void) | undefined;
}

/**
 * How one HTTP exchange ended. Trouble is a value: `error` is set when no whole answer was read, and `status` beside
 * it says that the answer had begun.
 */
export interface HttpResult {
  /**
   * Whether the store may have seen the request: it was about to be written to a connected socket. Decided there, not
   * by the error, since ECONNRESET is what both sides of the line look like.
   */
  readonly sent: boolean;
  readonly status?: number;
  readonly headers?: AnswerHeaders;
  readonly body?: string;
  readonly error?: { readonly code: string; readonly message: string };
}
