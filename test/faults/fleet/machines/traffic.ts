import { ownerOfConnection } from './processes.ts';
import type { Passage } from './proxy.ts';

/** A create or an update that a process began to send to a store, as the proxy before the store saw it. */
export interface Sent {
  /** On the clock of this process. */
  readonly ms: number;
  readonly store: string;
  /** The process that sent it; undefined if it had ended before it could be found. */
  readonly pid: number | undefined;
  readonly kind: 'create' | 'update';
  /** Reference of the product; undefined if its body came too late to be read here. */
  key: string | undefined;
}

export interface Traffic {
  readonly sent: readonly Sent[];
  /** Observes the connections to one store; give both to its proxy. */
  observe(store: string): {
    onConnect(passage: Passage): void;
    onSent(passage: Passage, chunk: Buffer): void;
  };
}

interface Sender {
  readonly pid: number | undefined;
  last: Sent | undefined;
}

const CREATE = /^POST \/api\/products\/create/;
const UPDATE = /^PUT \/api\/products\/update/;
const REFERENCE = /"reference": *"([^"]*)"/;

/** Notes who sends what to which store. `workers`: the processes that may. */
export function createTraffic(workers: () => readonly number[]): Traffic {
  const sent: Sent[] = [];
  const senders = new WeakMap<Passage, Sender>();
  return {
    sent,
    observe: (store) => ({
      onConnect(passage) {
        senders.set(passage, {
          pid: ownerOfConnection(passage.clientPort, passage.proxyPort, workers()),
          last: undefined,
        });
      },
      onSent(passage, chunk) {
        const sender = senders.get(passage);
        if (sender === undefined) return;
        const text = chunk.toString('latin1');
        const kind = CREATE.test(text) ? 'create' : UPDATE.test(text) ? 'update' : undefined;
        if (kind !== undefined) {
          sender.last = { ms: performance.now(), store, pid: sender.pid, kind, key: undefined };
          sent.push(sender.last);
        } else if (/^(GET|POST|PUT) /.test(text)) sender.last = undefined;
        if (sender.last !== undefined) sender.last.key ??= REFERENCE.exec(text)?.[1];
      },
    }),
  };
}
