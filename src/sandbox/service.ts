import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxJournal } from './journal.ts';
import type { FaultEnding } from './misbehave/endings.ts';
import type { Misbehaviour } from './misbehave/misbehaviour.ts';
import { MAX_BODY_BYTES } from './read-body.ts';
import { type Reply, refuse } from './reply.ts';
import type { Request, Router } from './router/router.ts';
import { sendEnding, sendReply } from './send.ts';

/** What the server does with requests. */
export interface Service {
  /**
   * Answers a request that was read to its end; `body` is undefined where it was too large. `isClosing` is asked when
   * the answer goes out: the connection then ends with it.
   */
  serve(
    incoming: IncomingMessage,
    response: ServerResponse,
    body: string | undefined,
    isClosing: () => boolean,
  ): void;
  /** The client left in the middle of a request. */
  brokenOff(incoming: IncomingMessage): void;
}

export interface ServiceOptions {
  readonly router: Router;
  readonly journal: SandboxJournal | undefined;
  /** Undefined: the store behaves. */
  readonly misbehaviour: () => Misbehaviour | undefined;
  /** Answers requests about the sandbox itself; undefined for all others. Never misbehaves, and leaves no trace. */
  readonly control: ((request: Request) => Reply | undefined) | undefined;
  /** Endings that wait. */
  readonly later: (ms: number, end: () => void) => void;
}

/** What a request meets on its way: control, faults, the store itself, faults again, the journal. */
export function createService({ router, journal, misbehaviour, control, later }: ServiceOptions): Service {
  function answer(request: Request, isTooLarge: boolean): Reply {
    if (isTooLarge) return refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    try {
      return router.answer(request);
    } catch (error) {
      // A mistake of the sandbox must be seen as one, and must not end the process that hosts it.
      return refuse(500, 'INTERNAL_ERROR', `The sandbox failed: ${(error as Error).message}`);
    }
  }

  return {
    serve(incoming, response, body, isClosing) {
      const isTooLarge = body === undefined;
      const request = requestOf(incoming, body ?? '');
      const controlled = control?.(request);
      if (controlled) return sendReply(response, controlled, isClosing());

      const faulty = misbehaviour();
      // The path of a benchmark: nothing is looked at that is not needed.
      if (faulty === undefined && journal === undefined)
        return sendReply(response, answer(request, isTooLarge), isClosing());

      const kind = router.kindOf(request);
      const plan = faulty?.plan(kind);
      const reply = (plan?.applies ?? true) ? answer(request, isTooLarge) : NO_REPLY;
      const ending: FaultEnding = plan ? plan.end(reply) : { how: 'answer', reply };
      const over = journal?.record(request.method, request.url, kind, reply.did, plan?.fault);
      const begun = over && followed(incoming, response, over);

      const end = () => {
        begun?.(ending);
        sendEnding(response, incoming.socket, ending, isClosing());
      };
      if (plan && plan.delayMs > 0) later(plan.delayMs, end);
      else end();
    },
    brokenOff(incoming) {
      const { method = '', url = '' } = incoming;
      journal?.record(method, url, router.kindOf({ method, url }), undefined, undefined)(null, false);
    },
  };
}

const NO_REPLY: Reply = { status: 0, text: '' };

function requestOf({ method = '', url = '', headers }: IncomingMessage, body: string): Request {
  const token = headers['x-auth-token'];
  return { method, url, token: typeof token === 'string' ? token : undefined, body };
}

/**
 * Calls `over` once: when the answer was handed to the system, or when the connection broke, whatever was first.
 * Call what it returns as the ending begins; before that there is no status.
 */
function followed(
  incoming: IncomingMessage,
  response: ServerResponse,
  over: (status: number | null, whole: boolean) => void,
): (ending: FaultEnding) => void {
  const { socket } = incoming;
  let begun: FaultEnding | undefined;
  let isOver = false;
  function settle(): void {
    if (isOver) return;
    isOver = true;
    socket.off('close', settle);
    const isWhole = begun?.how === 'answer' || begun?.how === 'trickle';
    over(begun && 'reply' in begun ? begun.reply.status : null, isWhole && response.writableFinished);
  }
  response.once('close', settle);
  // A response that waits for its turn on its connection does not learn that the connection broke.
  if (response.socket === null) socket.setMaxListeners(0).once('close', settle);
  return (ending) => {
    begun = ending;
    // Nothing more will come of it, and a journal that is read after a kill must have it.
    if (ending.how === 'hang') settle();
  };
}
