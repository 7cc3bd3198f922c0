/** Work that reports events while it runs, and ends with a summary. */
export interface EventRun<Event, Summary> extends AsyncIterable<Event> {
  /**
   * Resolves with the summary at the end of the work. Call it after the loop over the events, or in place of the loop: then
   * it does the work, and the events are dropped. Rejects with the error that kept the work from beginning or ending.
   */
  summary(): Promise<Summary>;
}

/** The listener of a run, as the work sees it. */
export interface EventSink<Event> {
  emit(event: Event): void;
  /** Returns a promise while many events wait to be taken; undefined if there is room. */
  room(): Promise<void> | undefined;
  /** Fires when the caller aborts, or leaves the loop over the events: nothing new is begun. */
  readonly interrupted: AbortSignal;
}

/** Events that wait to be taken before the work waits too. */
const MOST_WAITING = 1000;

/**
 * Makes a run of some work, which begins when the events or the summary are asked for. Leaving the loop over the events
 * interrupts the work, and waits for its end.
 */
export function startRun<Event, Summary>(
  work: (sink: EventSink<Event>) => Promise<Summary>,
  signal?: AbortSignal,
): EventRun<Event, Summary> {
  const left = new AbortController();
  const interrupted = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  let waiting: Event[] = [];
  let isTaken = false;
  let isOver = false;
  let running: Promise<Summary> | undefined;
  let onEvent: () => void = () => {};
  let drained: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const sink: EventSink<Event> = {
    interrupted,
    emit(event) {
      if (!isTaken) return;
      waiting.push(event);
      onEvent();
    },
    room() {
      if (waiting.length < MOST_WAITING) return undefined;
      drained ??= openGate();
      return drained.promise;
    },
  };

  function begin(): Promise<Summary> {
    running ??= work(sink).finally(() => {
      isOver = true;
      onEvent();
    });
    return running;
  }

  function take(): Event[] {
    const taken = waiting;
    waiting = [];
    drained?.resolve();
    drained = undefined;
    return taken;
  }

  async function* events(): AsyncGenerator<Event, void> {
    isTaken = true;
    const ended = begin();
    // Its error is thrown below, after the events before it.
    ended.catch(() => {});
    try {
      for (;;) {
        const isLast = isOver;
        yield* take();
        if (isLast) break;
        if (waiting.length === 0 && !isOver)
          await new Promise<void>((resolve) => {
            onEvent = resolve;
          });
      }
      await ended;
    } finally {
      isTaken = false;
      take();
      left.abort();
      await ended.catch(() => {});
    }
  }

  return {
    summary: begin,
    [Symbol.asyncIterator]() {
      if (isTaken || running !== undefined)
        throw new Error('The events of a run can be taken once, and before its summary is asked for.');
      return events();
    },
  };
}

function openGate() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
