import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';
import { ENGINES, STORE, useSession } from './engines.ts';
import { DONE, finished, known, record, SLOTS, send } from './steps.ts';

/** Texts that an engine could damage: by quoting, escaping, cutting, folding case, or normalising. */
const TEXTS: Readonly<Record<string, string>> = {
  quotes: `it's "quoted" \`so\` \\ \\x00 $1 :x ? %s %_ {"a":[1,null]} {1,2} NULL`,
  emoji: 'Tasse 😀 👩‍👩‍👧 e\u0301 é \u202e',
  controls: 'a\tb\nc\r\n\u0001\u001a0041\u007f\u0085\u2028\ufeff',
  long: 'Mug '.repeat(50_000),
  // No engine can make it shorter.
  random: Array.from({ length: 200 }, (_, at) => createHash('sha256').update(`${at}`).digest('base64')).join(
    '',
  ),
};

/** Texts without a form in UTF-8, or at which other programs end a text. */
const HOSTILE: Readonly<Record<string, string>> = {
  nul: 'a\0b\0',
  surrogates: 'a\ud800b\udfff\udc00',
};

describe.each(ENGINES)('values in $name', (engine) => {
  const session = useSession(engine);

  /** A record that has the text in each of its values. */
  function recordWith(text: string): RecordResult {
    const rejected = record(0, 'rejected');
    const kinds = [{ code: text, field: text, count: 2, example: text, cells: [[2, text]] as const }];
    return {
      ...{ ...rejected, key: text },
      outcome: { ...rejected.outcome, id: text, code: text, field: text, message: text, kinds },
      rows: [{ row: 2, cells: [text, '', text] }],
    };
  }

  const texts = Object.entries({ ...TEXTS, ...(engine.keepsAnyText ? HOSTILE : {}) });

  test.each(texts)('are kept as they are: %s', async (_, text) => {
    const open = await session.ledger.begin(NEW_RUN, SLOTS);
    const sent = recordWith(text);
    const unsent = { ...recordWith(text), seq: 1 };
    await send(open, [sent]);
    await open.settle(unsent, false);
    await open.flush();
    await open.end(DONE);
    await open.close();
    const run = await known(session.ledger, NEW_RUN.id);
    expect(await allOf(session.ledger.settled(run))).toEqual([sent, unsent]);
    expect((await allOf(session.ledger.toRetry(run, ['rejected'])))[0]).toMatchObject({
      key: text,
      rows: sent.rows,
    });
    expect((await allOf(session.ledger.endings(run)))[0]).toMatchObject({
      key: text,
      outcome: { id: text, code: text },
    });
    await session.ledger.amend([
      { run: run.number, seq: 0, outcome: { outcome: 'created', id: text, code: text, message: text } },
    ]);
    expect((await allOf(session.ledger.settled(run)))[0]?.outcome).toMatchObject({
      id: text,
      code: text,
      message: text,
    });
    expect(await allOf(session.ledger.created(run))).toMatchObject([{ key: text, id: text }]);
    expect(await session.ledger.holders(run, [text])).toMatchObject([{ key: text, id: text }]);
  });

  test.each(texts.filter(([name]) => name !== 'controls'))('are found again as keys: %s', async (_, text) => {
    const created = record(0, 'created');
    await finished(session.ledger, [{ ...created, key: text, outcome: { ...created.outcome, id: text } }]);
    const history = await session.ledger.history(STORE, 'products');
    const key = text.normalize('NFC').trim();
    expect((await history.lookup?.([key, `${key}x`]))?.get(key)).toMatchObject({ row: 2, id: text });
    expect(history.ids).toEqual([text]);
  });

  test.each(texts)('of a run are kept: %s', async (_, text) => {
    const run = {
      ...NEW_RUN,
      ...{
        mappingName: 'm',
        header: [text, text],
        options: { [text]: text },
        files: [{ file: text, path: text }],
      },
    };
    const open = await session.ledger.begin(run, SLOTS);
    const stopped = { reason: 'interrupted' as const, message: engine.keepsAnyText ? text : 'it' };
    await open.flush();
    await open.end({ ...DONE, files: run.files, state: 'stopped', stopped });
    await open.close();
    expect(await known(session.ledger, run.id)).toMatchObject({ ...run, stopped });
  });

  // JSON has its own escapes, so each engine keeps any cell.
  test.each(Object.entries({ ...TEXTS, ...HOSTILE }))(
    'of cells are kept after a kill: %s',
    async (_, text) => {
      const open = await session.ledger.begin(NEW_RUN, SLOTS);
      const rows = [{ row: 2, cells: [text, ''] }];
      await send(open, [
        { ...record(0, 'failed'), rows },
        { ...record(1, 'failed'), rows },
      ]);
      await open.close();
      await session.killed();
      const settled = await allOf(session.ledger.settled(await known(session.ledger, NEW_RUN.id)));
      expect(settled.map((each) => each.rows)).toEqual([rows, rows]);
    },
  );
});
