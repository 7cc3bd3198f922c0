import {
  type Ledger,
  type LedgerSource,
  type OpenRun,
  openLedger,
  type StoreHistory,
} from '../../src/ledger/index.ts';

/**
 * The ledger under a home as if it were on another machine: every answer takes turns of the event loop, nothing is known
 * at once, and no thread can read it. Counts what it is asked by name.
 */
export function waitingLedger(home: string): LedgerSource & { readonly asked: ReadonlyMap<string, number> } {
  const asked = new Map<string, number>();
  const wait = () => new Promise((resolve) => setTimeout(resolve, 1));

  function slow<Given extends unknown[], Answer>(name: string, ask: (...given: Given) => Promise<Answer>) {
    return async (...given: Given): Promise<Answer> => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      await wait();
      const answer = await ask(...given);
      await wait();
      return answer;
    };
  }
  async function* slowPages<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
    for await (const page of pages) {
      await wait();
      yield page;
    }
  }

  function slowHistory(history: StoreHistory): StoreHistory {
    const { lookup, trashed } = history;
    return {
      ...{ ids: history.ids, lookup: lookup && slow('lookup', lookup) },
      trashed: trashed && slow('trashed', trashed),
      countries: slow('countries', history.countries),
      sourcesOf: slow('sourcesOf', history.sourcesOf),
      findEarlier: slow('findEarlier', history.findEarlier),
      lookupAmong: slow('lookupAmong', async (resource) => {
        const among = await history.lookupAmong(resource);
        return among && slow(`lookup among ${resource}`, among);
      }),
    };
  }

  function slowRun(run: OpenRun): OpenRun {
    return {
      ...run,
      settled: () => slowPages(run.settled()),
      keepActivity: slow('keepActivity', run.keepActivity),
      end: slow('end', run.end),
      close: slow('close', run.close),
    };
  }

  function slowLedger(ledger: Ledger): Ledger {
    return {
      lock: slow('lock', ledger.lock),
      begin: slow('begin', async (...given) => slowRun(await ledger.begin(...given))),
      reopen: slow('reopen', async (...given) => slowRun(await ledger.reopen(...given))),
      history: slow('history', async (...given) => slowHistory(await ledger.history(...given))),
      runs: slow('runs', ledger.runs),
      find: slow('find', ledger.find),
      reread: slow('reread', ledger.reread),
      settled: (run) => slowPages(ledger.settled(run)),
      endings: (run) => slowPages(ledger.endings(run)),
      toRetry: (run, outcomes) => slowPages(ledger.toRetry(run, outcomes)),
      created: (run) => slowPages(ledger.created(run)),
      settledAfter: (run) => slowPages(ledger.settledAfter(run)),
      holders: slow('holders', ledger.holders),
      amend: slow('amend', ledger.amend),
      outcomes: slow('outcomes', ledger.outcomes),
      checkpointBefore: slow('checkpointBefore', ledger.checkpointBefore),
      close: slow('close', ledger.close),
    };
  }

  return {
    ...{ name: 'a ledger elsewhere', hasThreads: false, asked },
    hasHistory: slow('hasHistory', async (resource) => {
      const ledger = openLedger(home);
      const runs = await ledger.runs();
      await ledger.close();
      return runs.some((run) => run.resource === resource);
    }),
    open: slow('open', async () => slowLedger(openLedger(home))),
  };
}
