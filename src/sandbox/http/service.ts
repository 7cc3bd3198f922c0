import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FinishEntry, SandboxJournal } from '../journal.ts';
import type { FaultEnding } from '../misbehave/endings.ts';
import type { Misbehaviour } from '../misbehave/misbehaviour.ts';
import { type Reply, refuse } from '../reply.ts';
import type { Request, Router } from '../router/router.ts';
import { MAX_BODY_BYTES } from './read-body.ts';
import { sendEnding, sendReply } from './send.ts';

/** Handles the requests of a server. */
export interface Service {
  /** Answers a request that was read to its end. `body` is undefined if it was too large. */
  serve(incoming: IncomingMessage, response: ServerResponse, body: string | undefined): void;
  /** Called when the client left before the end of a request. */
  onAborted(incoming: IncomingMessage): void;
}

export interface ServiceOptions {
  readonly router: Router;
  readonly journal: SandboxJournal | undefined;
  /** Returns undefined while no fault is set. */
  readonly misbehaviour: () => Misbehaviour | undefined;
  /** Answers requests about the sandbox itself, and returns undefined for others. No faults, and no entry in the journal. */
  readonly control: ((request: Request) => Reply | undefined) | undefined;
  /** Calls a function later, for delayed answers. */
  readonly later: (ms: number, end: () => void) => void;
  /** While true, an answer also ends its connection. */
  readonly isClosing: () => boolean;
}

/** Creates the service. A request passes control, faults, the store, faults again (for the answer), and the journal. */
export function createService(options: ServiceOptions): Service {
  const { router, journal, misbehaviour, control, later, isClosing } = options;

  function answer(request: Request, isTooLarge: boolean): Reply {
    if (isTooLarge) return refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    try {
      return router.answer(request);
    } catch (error) {
      // A bug of the sandbox must be visible as such, and must not end the process that runs it.
      return refuse(500, 'INTERNAL_ERROR', `The sandbox failed: ${(error as Error).message}`);
    }
  }

  return {
    serve(incoming, response, body) {
      const isTooLarge = body === undefined;
      const request = requestOf(incoming, body ?? '');
      const controlled = control?.(request);
      if (controlled) return sendReply(response, controlled, isClosing());

      const faulty = misbehaviour();
      // The fast path, for benchmarks.
      if (faulty === undefined && journal === undefined)
        return sendReply(response, answer(request, isTooLarge), isClosing());

      const kind = router.kindOf(request);
      const plan = faulty?.plan(kind);
      const reply = (plan?.applies ?? true) ? answer(request, isTooLarge) : NO_REPLY;
      const ending: FaultEnding = plan ? plan.end(reply) : { how: 'answer', reply };
      const { method, url } = request;
      const finish = journal?.record({ method, url, kind, did: reply.did, fault: plan?.fault });
      const onEnding = finish && watchExchange(incoming, response, finish);

      const end = () => {
        onEnding?.(ending);
        sendEnding(response, ending, isClosing());
      };
      if (plan && plan.delayMs > 0) later(plan.delayMs, end);
      else end();
    },
    onAborted(incoming) {
      const { method = '', url = '' } = incoming;
      journal?.record({ method, url, kind: router.kindOf({ method, url }) })(null, false);
    },
  };
}

const NO_REPLY: Reply = { status: 0, text: '' };

function requestOf({ method = '', url = '', headers }: IncomingMessage, body: string): Request {
  const token = headers['x-auth-token'];
  return { method, url, token: typeof token === 'string' ? token : undefined, body };
}

/**
 * Calls `finish` once: when the answer was handed to the system or the connection broke, whichever is first. Call the
 * returned function when the ending begins; until then there is no status.
 */
function watchExchange(
  incoming: IncomingMessage,
  response: ServerResponse,
  finish: FinishEntry,
): (ending: FaultEnding) => void {
  const { socket } = incoming;
  let ending: FaultEnding | undefined;
  let isOver = false;
  function settle(): void {
    if (isOver) return;
    isOver = true;
    socket.off('close', settle);
    const isWhole = ending?.how === 'answer' || ending?.how === 'trickle';
    finish(ending && 'reply' in ending ? ending.reply.status : null, isWhole && response.writableFinished);
  }
  response.once('close', settle);
  // A response that waits for earlier ones on its connection gets no event if the connection breaks.
  if (response.socket === null) socket.setMaxListeners(0).once('close', settle);
  return (begun) => {
    ending = begun;
    // There will be no other event, and the journal must have the entry if the sandbox is killed.
    if (begun.how === 'hang') settle();
  };
}
