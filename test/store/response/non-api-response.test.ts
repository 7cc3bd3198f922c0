import { describe, expect, test } from 'vitest';
import * as wire from '../../support/store/adversary.ts';
import { REQUESTS, testClient } from '../../support/store/client.ts';

const LIST = wire.json(200, { results: [] });
const BLOCKED = wire.reply(403, '<html><head><title>Request "7f3" blocked</title></head></html>');

const concurrency = 4;
const isCreate = ({ target }: wire.WireRequest) => target === REQUESTS.create.path;
const record = (words: string) => ({ ...REQUESTS.create, body: JSON.stringify({ name: 'Lamp', words }) });

/** Refuses creates whose body looks like SQL. `read` answers reads. */
function firewall(read: wire.Step = LIST): wire.Step {
  return (socket, request) => {
    const step = isCreate(request) ? (request.body.includes('select *') ? BLOCKED : wire.created()) : read;
    step(socket, request);
  };
}

/** `count` records. The firewall refuses those for which `bad` is true. */
function records(count: number, bad: (n: number) => boolean) {
  return Array.from({ length: count }, (_, n) => record(bad(n) ? 'select * from lamps' : 'fine'));
}

describe('a firewall that refuses some records', () => {
  test('rejects these, with a message that names the page and its title', async () => {
    await using store = await wire.adversary({ script: [firewall()] });
    const client = testClient({ baseUrl: store.url });
    expect(await client.deliver(record('select *'))).toMatchObject({
      verdict: 'rejected',
      code: 'refused-by-page',
      httpStatus: 403,
      attempts: 1,
      message:
        'The request was refused (403) with a web page, as by a firewall or a web server in front of the store, and not by its API: Request "7f3" blocked',
    });
  });

  const runs: readonly [string, number, (n: number) => boolean, number][] = [
    ['every third record', 4, (n) => n % 3 === 0, 0],
    ['every third record, with concurrency 1', 1, (n) => n % 3 === 0, 20],
    ['twenty records in a row', 4, (n) => n >= 10 && n < 30, 5],
    ['twenty records in a row, with concurrency 1', 1, (n) => n >= 10 && n < 30, 20],
  ];
  test.each(runs)(
    '%s: costs a few probes, no token, and does not end the run',
    async (_, concurrency, bad, looks) => {
      await using store = await wire.adversary({ script: [firewall()] });
      const client = testClient({ baseUrl: store.url, concurrency });
      const all = records(60, bad);
      const ends = await Promise.all(all.map((each) => client.deliver(each)));
      const wanted = all.map(({ body }) => (body.includes('select') ? 'rejected' : 'done'));
      expect(ends.map(({ verdict }) => verdict)).toEqual(wanted);
      expect(ends.every(({ attempts }) => attempts === 1)).toBe(true);
      expect(store.tokenRequests).toHaveLength(1);
      expect(store.requests.filter((request) => !isCreate(request)).length).toBeLessThanOrEqual(looks);
      expect(client.warnings).toEqual([]);
    },
  );

  test('is recognised by the token endpoint if the list of the store is a web page too', async () => {
    await using store = await wire.adversary({ script: [firewall(wire.html404())] });
    const client = testClient({ baseUrl: store.url, concurrency });
    const all = records(60, (n) => n >= 10 && n < 30);
    const ends = await Promise.all(all.map((each) => client.deliver(each)));
    expect(ends.filter(({ verdict }) => verdict === 'rejected')).toHaveLength(20);
    expect(ends.filter(({ verdict }) => verdict === 'done')).toHaveLength(40);
    expect(store.tokenRequests.length).toBeGreaterThan(1);
    expect(store.tokenRequests.length).toBeLessThanOrEqual(1 + 20 / concurrency);
  });
});

describe('probing the store after unanswered creates', () => {
  /**
   * Loses all creates but the first until the list was read `reads` times. `read` answers these reads; later
   * ones get a list.
   */
  async function importing(read: wire.Step, reads: number) {
    let seen = 0;
    const step: wire.Step = (socket, request) => {
      if (isCreate(request))
        return (store.requests.length > 1 && seen < reads ? wire.reset : wire.created())(socket, request);
      (++seen <= reads ? read : LIST)(socket, request);
    };
    const store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url, concurrency, giveUpAfterMs: 900_000 });
    const [first, ...others] = records(31, () => false);
    // Alone, so that its good answer does not come in between.
    if (first) expect(await client.deliver(first)).toMatchObject({ verdict: 'done' });
    const ends = await Promise.all(others.map((each) => client.deliver(each)));
    const doubts = ends.filter(({ verdict }) => verdict === 'in-doubt');
    expect(ends.filter(({ verdict }) => verdict === 'done')).toHaveLength(30 - doubts.length);
    return { store, client, doubts };
  }

  const notYet: readonly [string, wire.Step, string][] = [
    ['a web page', wire.html, 'HTML page, status 200'],
    [
      'a redirect',
      wire.reply(302, '', { location: 'http://login.example/?x' }),
      'redirect to http://login.example/, status 302',
    ],
    ['nothing', wire.reply(200), 'empty answer, status 200'],
    ['words', wire.reply(200, 'OK'), 'an answer of another shape, status 200'],
    ['a truncated answer', wire.truncated(200), 'an answer that was cut off, status 200'],
  ];
  test.each(notYet)(
    '%s does not count as recovery: no create is sent before there is JSON',
    async (_, read, words) => {
      const { store, client, doubts } = await importing(read, 8);
      await using _store = store;
      // Those in flight when the outage began, and not one more.
      expect(doubts.length).toBeLessThanOrEqual(2 * concurrency - 1);
      const firstRead = store.requests.findIndex((request) => !isCreate(request));
      const lastRead = store.requests.findLastIndex((request) => !isCreate(request));
      const between = store.requests.slice(firstRead, lastRead + 1);
      expect(between.filter((request) => !isCreate(request)).length).toBeGreaterThan(8);
      // Those that were permitted before there were too many doubts.
      expect(between.filter(isCreate).length).toBeLessThan(concurrency);
      expect(client.warnings[0]).toBe(
        `Waiting for the store: it does not answer like its API does (${words}). Trying again until it answers.`,
      );
      expect(client.warnings).toHaveLength(2);
      expect(store.tokenRequests).toHaveLength(1);
    },
  );

  test.each([
    ['a refusal in JSON', wire.json(404, { message: 'no such list' }), 1],
    ['a refusal with a web page', wire.html404(), 2],
    ['a refusal without a body', wire.reply(404), 2],
  ])('%s counts as recovery if there are tokens', async (_, read, tokenRequests) => {
    const { store, doubts } = await importing(read, 1);
    await using _store = store;
    expect(doubts.length).toBeLessThanOrEqual(2 * concurrency - 1);
    expect(store.tokenRequests).toHaveLength(tokenRequests);
  });

  test('waits while everything, tokens too, is answered by a page with 403', async () => {
    let asked = 0;
    const wall =
      (step: wire.Step): wire.Step =>
      (socket, request) => {
        const isShut = store.requests.length > 0 && asked < 8;
        if (isShut && !isCreate(request)) asked++;
        (isShut ? (isCreate(request) ? wire.reset : BLOCKED) : step)(socket, request);
      };
    const issue = wire.token();
    await using store = await wire.adversary({ script: [wall(wire.created())], token: [wall(issue)] });
    const client = testClient({ baseUrl: store.url, concurrency, giveUpAfterMs: 900_000 });
    const ends = await Promise.all(records(30, () => false).map((each) => client.deliver(each)));
    expect(asked).toBe(8);
    expect(ends.filter(({ verdict }) => verdict === 'in-doubt').length).toBeLessThan(2 * concurrency);
    expect(client.warnings[0]).toContain('does not answer like its API does (HTML page, status 403)');
  });
});
