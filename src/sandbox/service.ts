import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Journal } from './journal.ts';
import type { Ending } from './misbehave/endings.ts';
import type { Misbehaviour } from './misbehave/misbehaviour.ts';
import { MAX_BODY_BYTES } from './read-body.ts';
import { type Reply, refuse } from './reply.ts';
import type { Request, Router } from './router/router.ts';
import { sendEnding, sendReply } from './send.ts';

/** Answers one request whose body was read. `isLast`: the server is closing. */
export type Service = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string | 'too-large',
  isLast: boolean,
) => void;

export interface ServiceOptions {
  readonly router: Router;
  readonly journal: Journal | undefined;
  /** Undefined: the store behaves. */
  readonly misbehaviour: () => Misbehaviour | undefined;
  /** Answers requests about the sandbox itself; undefined for all others. Never misbehaves, and leaves no trace. */
  readonly control: ((request: Request) => Reply | undefined) | undefined;
  /** Endings that wait; the sandbox must not close before them, or forget them. */
  readonly later: (ms: number, end: () => void) => void;
}

/** What a request meets on its way: control, faults, the store itself, faults again, the journal. */
export function createService({ router, journal, misbehaviour, control, later }: ServiceOptions): Service {
  function answer(request: Request, body: string | 'too-large'): Reply {
    if (body === 'too-large')
      return refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    try {
      return router.answer(request);
    } catch (error) {
      // A mistake of the sandbox must be seen as one, and must not end the process that hosts it.
      return refuse(500, 'INTERNAL_ERROR', `The sandbox failed: ${(error as Error).message}`);
    }
  }

  return (incoming, response, body, isLast) => {
    const request = requestOf(incoming, body);
    const controlled = control?.(request);
    if (controlled) return sendReply(response, controlled, isLast);

    const faulty = misbehaviour();
    // The path of a benchmark: nothing is looked at that is not needed.
    if (faulty === undefined && journal === undefined)
      return sendReply(response, answer(request, body), isLast);

    const kind = router.kindOf(request);
    const plan = faulty?.plan(kind);
    const applies = plan?.applies ?? true;
    const reply = applies ? answer(request, body) : NO_REPLY;
    const ending: Ending = plan ? plan.end(reply) : { how: 'answer', reply };
    const over = journal?.record(request.method, request.url, kind, {
      ...(reply.did && { did: reply.did }),
      ...(plan?.fault !== undefined && { fault: plan.fault }),
    });

    const end = () => {
      if (over) whenOver(response, ending, over);
      sendEnding(response, ending, isLast);
    };
    if (plan && plan.delayMs > 0) later(plan.delayMs, end);
    else end();
  };
}

const NO_REPLY: Reply = { status: 0, text: '' };

function requestOf({ method = '', url = '', headers }: IncomingMessage, body: string): Request {
  const token = headers['x-auth-token'];
  return { method, url, token: typeof token === 'string' ? token : undefined, body };
}

/** An answer is whole when its last byte was handed to the system. */
function whenOver(
  response: ServerResponse,
  ending: Ending,
  over: (status: number | null, whole: boolean) => void,
): void {
  if (response.destroyed) {
    over(null, false);
    return;
  }
  const status = 'reply' in ending ? ending.reply.status : null;
  const complete = ending.how === 'answer' || ending.how === 'trickle';
  response.once('close', () => over(status, complete && response.writableFinished));
}
