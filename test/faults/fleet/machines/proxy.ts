import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Ways in which a network fails. `reset`: all connections are reset, and new ones work. `refuse`: these and all new ones are
 * reset. `stall`: nothing passes, and what waits arrives after `heal`. `mute`: requests arrive, and their answers are lost.
 * `silence`: as if the other machine was gone, nothing passes on all connections there are, for ever, and new ones work.
 */
export type Cut = 'reset' | 'refuse' | 'stall' | 'mute' | 'silence';

/** A connection through the proxy. */
export interface Passage {
  /** Port of the client. */
  readonly clientPort: number;
  /** Port of the proxy. */
  readonly proxyPort: number;
}

export interface ProxyOptions {
  /** Port on this machine to which connections are forwarded. */
  readonly to: number;
  /** Called with the bytes that a client sends, before they are forwarded. */
  readonly onSent?: (passage: Passage, chunk: Buffer) => void;
  /** Called when a client connects. */
  readonly onConnect?: (passage: Passage) => void;
}

export interface FaultyProxy {
  readonly port: number;
  readonly connections: number;
  cut(how: Cut): void;
  /** Ends the fault. */
  heal(): void;
  stop(): Promise<void>;
}

/** Both ends of a connection. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Forwards connections on a port of its own, until `cut` makes it fail. */
export async function startProxy({ to, onSent, onConnect }: ProxyOptions): Promise<FaultyProxy> {
  const pairs = new Set<Pair>();
  const silent = new Set<Pair>();
  let fault: Exclude<Cut, 'reset' | 'silence'> | undefined;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    near.on('error', () => near.destroy());
    if (fault === 'refuse') return void near.resetAndDestroy();
    const passage: Passage = { clientPort: near.remotePort ?? 0, proxyPort: near.localPort ?? 0 };
    onConnect?.(passage);
    const far = connect({ host: '127.0.0.1', port: to, allowHalfOpen: true, noDelay: true });
    const pair: Pair = { near, far };
    pairs.add(pair);
    far.on('error', () => near.resetAndDestroy());
    far.on('close', () => near.destroy());
    near.on('close', () => {
      far.destroy();
      pairs.delete(pair);
      silent.delete(pair);
    });
    forward(near, far, (chunk) => {
      onSent?.(passage, chunk);
      return true;
    });
    forward(far, near, () => fault !== 'mute');
    if (fault === 'stall') pausePair(pair);
  });

  /** `passes` returns false for bytes that are lost. */
  function forward(from: Socket, onto: Socket, passes: (chunk: Buffer) => boolean): void {
    from.on('data', (chunk: Buffer) => {
      if (!passes(chunk) || onto.write(chunk)) return;
      from.pause();
      onto.once('drain', () => {
        if (fault !== 'stall') from.resume();
      });
    });
    from.on('end', () => onto.end());
  }

  function resetAll(): void {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  function silenceAll(): void {
    for (const pair of pairs) {
      pausePair(pair);
      for (const end of [pair.near, pair.far]) end.removeAllListeners('data');
      silent.add(pair);
    }
    pairs.clear();
  }

  function heal(): void {
    // A connection whose answers were lost has no use: client and server no longer agree.
    if (fault === 'mute') resetAll();
    fault = undefined;
    for (const { near, far } of pairs) {
      near.resume();
      far.resume();
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.size;
    },
    cut(how) {
      heal();
      if (how === 'reset' || how === 'refuse') resetAll();
      if (how === 'silence') silenceAll();
      else if (how !== 'reset') fault = how;
      if (how === 'stall') for (const pair of pairs) pausePair(pair);
    },
    heal,
    async stop() {
      for (const { near, far } of [...pairs, ...silent]) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pausePair({ near, far }: Pair): void {
  near.pause();
  far.pause();
}
