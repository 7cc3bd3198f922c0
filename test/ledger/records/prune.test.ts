import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, asyncProperty, assert as check, constantFrom, integer, record as recordOf } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/database.ts';
import {
  type KnownRun,
  type LocalLedger,
  type NewRun,
  type OutcomeCounts,
  openLedger,
} from '../../../src/ledger/index.ts';
import { INCOMPLETE, type OutcomeStatus, type RecordResult } from '../../../src/model/index.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const { store, resource } = NEW_RUN;

let home: string;
let ledger: LocalLedger;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'storeport-prune-'));
  ledger = openLedger(home);
  await ledger.lock(store, 'test');
});
afterEach(async () => {
  await ledger.close();
  rmSync(home, { recursive: true });
});

type Given = Partial<Omit<RecordResult, 'outcome'>> & {
  readonly outcome: OutcomeStatus;
  readonly id?: string;
};

/** A record with the key `k<seq>`, with rows if it is incomplete. */
function result(seq: number, { outcome: word, id, ...more }: Given): RecordResult {
  const row = seq + 2;
  const isSent = ['created', 'updated', 'in-doubt', 'failed', 'rejected'].includes(word);
  const outcome = { outcome: word, id, attempts: isSent ? 1 : 0, durationMs: 0 };
  const rows = INCOMPLETE.has(word) ? { rows: [{ row, cells: [`cell ${seq}`] }] } : {};
  const digests = isSent ? { digests: { fields: 'name', digests: '12345678' } } : {};
  return { seq, row, key: `k${seq}`, outcome, ...rows, ...digests, ...more };
}

/** Creates a run that ended with these records. */
async function runWith(id: string, given: readonly Given[], more: Partial<NewRun> = {}): Promise<KnownRun> {
  const run = { ...NEW_RUN, id, ...more };
  const open = await ledger.begin(run, 4);
  for (const [seq, each] of given.entries()) open.settle(result(seq, each), false);
  await open.flush();
  await open.end({ state: 'done', files: run.files, finishedAt: 2000, workedMs: 1 });
  await open.close();
  return await known(id);
}

async function known(id: string): Promise<KnownRun> {
  return (await ledger.runs()).find((run) => run.id === id) as KnownRun;
}

const prune = async (id: string) => ledger.prune(await known(id), { at: 5000, isTrial: false });
const linesOf = async (id: string) => (await allOf(ledger.settled(await known(id)))).map(({ seq }) => seq);
const look = async (...keys: string[]) => (await ledger.history(store, resource)).lookup?.(keys);
const find = async (run: string, row: number) => {
  const { findEarlier } = await ledger.history(store, resource);
  const [earlier] = await findEarlier([{ run, row, cells: [] }]);
  return earlier;
};

describe('of the records of a pruned run', () => {
  test.each<[string, Given, 'stays' | 'goes']>([
    ['a created one', { outcome: 'created', id: 'i' }, 'stays'],
    ['an updated one', { outcome: 'updated', id: 'i' }, 'stays'],
    ['a created one without a key', { outcome: 'created', id: 'i', key: '' }, 'goes'],
    ['one in doubt', { outcome: 'in-doubt' }, 'stays'],
    ['one in doubt without a key', { outcome: 'in-doubt', key: '' }, 'stays'],
    ['an unchanged one', { outcome: 'unchanged', id: 'i' }, 'goes'],
    ['a duplicate', { outcome: 'duplicate' }, 'goes'],
    ['an invalid one', { outcome: 'invalid' }, 'goes'],
    ['a rejected one', { outcome: 'rejected' }, 'goes'],
    ['a failed one', { outcome: 'failed' }, 'goes'],
    ['an unsent one', { outcome: 'unsent' }, 'goes'],
    [
      'a created one with a composed letter in its key',
      { outcome: 'created', id: 'i', key: ' Cafe\u0301 ' },
      'stays',
    ],
    ['a created one with a tab beside its key', { outcome: 'created', id: 'i', key: '\tT' }, 'stays'],
  ])('%s %s', async (_, given, then) => {
    await runWith('r1', [given]);
    const { dropped, kept } = await prune('r1');
    expect([dropped, kept]).toEqual(then === 'goes' ? [{ [given.outcome]: 1 }, 0] : [{}, 1]);
    expect(await linesOf('r1')).toEqual(then === 'goes' ? [] : [0]);
    expect(await ledger.outcomes(await known('r1'))).toEqual({ [given.outcome]: 1 });
  });

  test('a customer who is known only by the mail address in lower case stays', async () => {
    const more = { resource: 'customers' };
    await runWith('r1', [{ outcome: 'created', id: 'i', key: 'Ann@Shop.example' }], more);
    const later = { outcome: 'updated', id: 'i', key: 'Ann@Shop.example' } as const;
    await prune('r1');
    expect((await (await ledger.history(store, 'customers')).lookup?.(['ann@shop.example']))?.size).toBe(1);
    await runWith('r2', [later], more);
    // The later record took both places.
    expect((await prune('r1')).dropped).toEqual({ created: 1 });
    expect(
      (await (await ledger.history(store, 'customers')).lookup?.(['ann@shop.example']))?.get(
        'ann@shop.example',
      ),
    ).toMatchObject({
      run: 'r2',
    });
  });

  test('a created one goes once a later run has updated it', async () => {
    await runWith('r1', [{ outcome: 'created', id: 'i' }]);
    await runWith('r2', [{ outcome: 'updated', id: 'i' }]);
    expect((await prune('r1')).dropped).toEqual({ created: 1 });
    expect((await look('k0'))?.get('k0')).toMatchObject({ run: 'r2', id: 'i' });
    expect(await prune('r2')).toMatchObject({ dropped: {}, kept: 1 });
  });

  test('an adopted one stays', async () => {
    await runWith('r1', [{ outcome: 'unchanged', id: 'i' }], { command: 'adopt' });
    expect(await prune('r1')).toMatchObject({ dropped: {}, kept: 1 });
    expect((await look('k0'))?.get('k0')?.id).toBe('i');
  });

  test('the record of an undo stays while its product is in the trash', async () => {
    await runWith('r1', [{ outcome: 'created', id: 'i' }]);
    await runWith('u1', [{ outcome: 'updated', id: 'i', key: '' }], { command: 'undo' });
    expect(await prune('u1')).toMatchObject({ dropped: {}, kept: 1 });
    expect((await (await ledger.history(store, resource)).trashed?.(['i']))?.get('i')).toEqual({
      run: 'u1',
      sure: true,
    });
    await runWith('r2', [{ outcome: 'updated', id: 'i' }]);
    expect((await prune('u1')).dropped).toEqual({ updated: 1 });
  });

  test('one that was imported again stays, and so does the record that replaced it', async () => {
    const first = await runWith('r1', [{ outcome: 'invalid' }, { outcome: 'unchanged' }]);
    await runWith('r2', [
      { outcome: 'created', id: 'i', supersedes: [[first.number, 0]] },
      { outcome: 'unchanged' },
    ]);
    // A later update takes the place of its key, so that only the link keeps it.
    await runWith('r3', [{ outcome: 'updated', id: 'i' }]);
    expect(await prune('r2')).toMatchObject({ dropped: { unchanged: 1 }, kept: 1 });
    expect((await allOf(ledger.settled(first))).map(({ outcome }) => outcome.outcome)).toEqual([
      'created',
      'unchanged',
    ]);
    expect(await ledger.outcomes(await known('r1'))).toEqual({ created: 1, unchanged: 1 });
    expect(await prune('r1')).toMatchObject({ dropped: { unchanged: 1 }, kept: 1 });
    expect(await ledger.outcomes(await known('r1'))).toEqual({ created: 1, unchanged: 1 });
    expect(await find('r1', 2)).toMatchObject({
      outcome: 'invalid',
      current: { run: 'r2', outcome: 'created' },
    });
  });

  test('unchanged records stay while an older run may be continued', async () => {
    await runWith('r1', [{ outcome: 'created', id: 'i' }, { outcome: 'failed' }]);
    await runWith('r2', [{ outcome: 'unchanged', id: 'i' }, { outcome: 'invalid' }]);
    expect((await prune('r2')).dropped).toEqual({ invalid: 1 });
    expect(await allOf(ledger.settledAfter(await known('r1')))).toEqual([{ run: 'r2', key: 'k0', id: 'i' }]);
  });

  test('those for a store that ended with its command all go', async () => {
    await runWith('r1', [{ outcome: 'created', id: 'i' }, { outcome: 'in-doubt' }], { remembered: false });
    expect((await prune('r1')).dropped).toEqual({ created: 1, 'in-doubt': 1 });
  });

  test('the rows of a doubt stay, and it can be settled', async () => {
    await runWith('r1', [{ outcome: 'in-doubt' }, { outcome: 'invalid' }]);
    const { number } = await known('r1');
    await prune('r1');
    expect(await allOf(ledger.settled(await known('r1')))).toMatchObject([
      { seq: 0, rows: [{ cells: ['cell 0'] }] },
    ]);
    await ledger.amend([{ run: number, seq: 0, outcome: { outcome: 'created', id: 'found' } }]);
    expect((await look('k0'))?.get('k0')).toMatchObject({ id: 'found' });
    expect(await ledger.outcomes(await known('r1'))).toEqual({ created: 1, invalid: 1 });
  });
});

describe('a row of a pruned run', () => {
  test('that had arrived counts as sent, also if another record before it stays', async () => {
    await runWith('r1', [
      { outcome: 'created', id: 'i' },
      { outcome: 'unchanged' },
      { outcome: 'unchanged' },
    ]);
    await prune('r1');
    expect(await find('r1', 2)).toMatchObject({ outcome: 'created', current: { ref: [1, 0] } });
    for (const row of [3, 4])
      expect(await find('r1', row)).toMatchObject({
        outcome: 'unchanged',
        dropped: 'sure',
        current: { run: 'r1', row },
      });
  });

  test('is unknown if rows were dropped that had not arrived', async () => {
    await runWith('r1', [{ outcome: 'invalid' }, { outcome: 'in-doubt' }, { outcome: 'unchanged' }]);
    await prune('r1');
    expect(await find('r1', 2)).toMatchObject({ dropped: 'unknown' });
    expect(await find('r1', 3)).toMatchObject({ outcome: 'in-doubt', current: { ref: [1, 1] } });
    expect((await find('r1', 3))?.dropped).toBeUndefined();
    expect(await find('r1', 4)).toMatchObject({ dropped: 'unknown' });
  });
});

test('a trial changes nothing, and says what a prune then does', async () => {
  await runWith('r1', [{ outcome: 'created', id: 'i' }, { outcome: 'unchanged' }, { outcome: 'invalid' }]);
  const before = await allOf(ledger.settled(await known('r1')));
  const trial = ledger.prune(await known('r1'), { at: 5000, isTrial: true });
  expect((await known('r1')).lastPrune).toBeUndefined();
  expect(await allOf(ledger.settled(await known('r1')))).toEqual(before);
  expect(await prune('r1')).toEqual(trial);
  expect(trial.bytes).toBeGreaterThan(60);
});

test('a run whose records are all needed stays whole, and keeps the time of the prune', async () => {
  await runWith('r1', [{ outcome: 'created', id: 'i' }]);
  await prune('r1');
  expect(await known('r1')).toMatchObject({ lastPrune: { at: 5000 } });
  expect((await known('r1')).pruned).toBeUndefined();
});

test('a prune that fails in the middle keeps what it dropped, and is continued by the next one', async () => {
  const many = Array.from(
    { length: 7_500 },
    (_, n): Given => (n % 3 === 0 ? { outcome: 'created', id: `i${n}` } : { outcome: 'unchanged' }),
  );
  await runWith('r1', many);
  let steps = 0;
  const failing = async () =>
    ledger.prune(await known('r1'), {
      at: 5000,
      isTrial: false,
      onDropped() {
        if (++steps === 2) throw new Error('killed');
      },
    });
  await expect(failing()).rejects.toThrow('killed');
  // The second step was rolled back as a whole.
  expect(await known('r1')).toMatchObject({
    lastPrune: { next: 5000 },
    pruned: { dropped: { unchanged: 3333 } },
  });
  expect(await ledger.outcomes(await known('r1'))).toEqual({ created: 2500, unchanged: 5000 });
  await prune('r1');
  expect((await known('r1')).lastPrune).toEqual({ at: 5000 });
  expect(await ledger.outcomes(await known('r1'))).toEqual({ created: 2500, unchanged: 5000 });
  expect(await linesOf('r1')).toHaveLength(2500);
});

test('a pruned ledger is smaller, and its files pass the check of the next process', async () => {
  const many = Array.from({ length: 6_000 }, (): Given => ({ outcome: 'unchanged' }));
  await runWith('r1', many);
  const before = ledger.space();
  await prune('r1');
  expect(ledger.space().free).toBeGreaterThan(0.5 * before.bytes);
  ledger.shrink();
  const after = ledger.space();
  expect(after.free).toBe(0);
  expect(after.bytes).toBeLessThan(0.5 * before.bytes);
  await ledger.close();
  // The time of the file differs, so every page is compared.
  const database = openDatabase(home);
  expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  ledger = openLedger(home);
  await ledger.lock(store, 'test');
});

// Planning depends on lookups, the trash, and earlier records of returned rows, and on nothing else of the ledger.
test('prune changes nothing that planning asks the ledger for', async () => {
  const words = ['created', 'updated', 'unchanged', 'duplicate', 'in-doubt'] as const;
  const given = recordOf({ word: constantFrom(...words), key: integer({ min: 0, max: 6 }) });
  const aRun = recordOf({
    command: constantFrom('import', 'import', 'import', 'adopt', 'undo'),
    records: array(given, { minLength: 1, maxLength: 6 }),
    /** If 0, its first record replaces the invalid one of the first run. */
    returns: integer({ min: 0, max: 2 }),
  });
  let count = 0;
  await check(
    asyncProperty(array(aRun, { minLength: 1, maxLength: 5 }), async (runs) => {
      const folder = join(home, String(++count));
      await ledger.close();
      ledger = openLedger(folder);
      await ledger.lock(store, 'test');
      const first = await runWith('r', [{ outcome: 'invalid', key: 'k0' }]);
      for (const [n, { command, records, returns }] of runs.entries())
        await runWith(
          `r${n}`,
          records.map(({ word, key }, seq) => ({
            outcome: command === 'adopt' ? 'unchanged' : command === 'undo' ? 'updated' : word,
            key: command === 'undo' ? '' : key === 6 ? '' : `k${key}`,
            id: `i${key}`,
            ...(command === 'import' && returns === 0 && seq === 0
              ? { supersedes: [[first.number, 0] as const] }
              : {}),
          })),
          { command: command as NewRun['command'] },
        );
      const keys = Array.from({ length: 6 }, (_, n) => `k${n}`);
      const answers = async () => {
        const { lookup, trashed, sourcesOf, ids } = await ledger.history(store, resource);
        const states = await lookup?.(keys);
        const rows: unknown[] = [];
        for (const { id } of await ledger.runs())
          for (const row of [2, 3, 4, 5, 6, 7, 8]) {
            const current = (await find(id, row))?.current;
            // Any of these says that nothing is left to do.
            const isDone = ['created', 'updated', 'unchanged', 'duplicate'].includes(current?.outcome ?? '');
            if (current && !isDone) rows.push([id, row, current]);
          }
        return {
          states,
          sources: await sourcesOf([...(states?.values() ?? [])].map(({ ref }) => ref)),
          trashed: await trashed?.(keys.map((_, n) => `i${n}`)),
          ids,
          rows,
        };
      };
      const before = await answers();
      const booksNow = async () => {
        const books = new Map<string, OutcomeCounts>();
        for (const run of await ledger.runs()) books.set(run.id, await ledger.outcomes(run));
        return books;
      };
      const books = await booksNow();
      for (const [id, { invalid }] of books) if (!invalid) await prune(id);
      expect(await answers()).toEqual(before);
      expect(await booksNow()).toEqual(books);
    }),
    { numRuns: scaledRuns(20) },
  );
});
