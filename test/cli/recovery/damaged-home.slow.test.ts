import { expect, test } from 'vitest';
import { cutBy, empty, overwritePage } from '../../faults/damage/bytes.ts';
import { runDamageCase } from '../../faults/damage/case.ts';
import { corruptPart, deleteParts, type Kind, restore } from '../../faults/damage/kinds.ts';
import type { History } from '../../faults/damage/plan.ts';

// The short form of scripts/faults.mjs damage. test/ledger/database/damage.test.ts has each kind of damage
// without the binary.

const FIRST: History = { records: 450, before: 'nothing', exported: false, end: 'killed' };
const SECOND: History = { ...FIRST, before: 'a finished run' };
const FINISHED: History = { ...FIRST, end: 'finished' };

const DAMAGES: readonly [title: string, history: History, apply: Kind['apply']][] = [
  ['its log deleted', FIRST, deleteParts(['log'])],
  ['its WAL deleted', FIRST, deleteParts(['wal', 'shm'])],
  ['its WAL cut by a byte', FIRST, corruptPart('wal', cutBy(1))],
  ['the database of a first run emptied', FIRST, corruptPart('db', empty)],
  ['the database emptied', SECOND, corruptPart('db', empty)],
  ['a page of the database overwritten', FINISHED, corruptPart('db', overwritePage)],
  ['an older copy of the database', FINISHED, (home, random) => restore(home, ['db', 'wal'], random)],
];

test.each(DAMAGES)(
  'a home with %s creates nothing twice and prints what to do',
  async (name, history, apply) => {
    const kind: Kind = { name, weight: 1, apply };
    const { doubled, found, kind: done } = await runDamageCase({ seed: 1, history, kind });
    expect({ doubled, found, done }).toEqual({ doubled: 0, found: [], done: name });
  },
);

test.each([FIRST, FINISHED])('an undamaged home is not refused: %o', async (history) => {
  const { verdict, found } = await runDamageCase({ seed: 1, history, undamaged: true });
  expect({ verdict, found }).toEqual({ verdict: 'harmless', found: [] });
});
