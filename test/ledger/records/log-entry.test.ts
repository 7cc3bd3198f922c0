import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeIntent,
  type Intent,
  type PackedIntent,
  packedText,
  unpackIntent,
} from '../../../src/ledger/records/intents.ts';
import { decodeLogEntry, entryPieces } from '../../../src/ledger/records/log-entry.ts';
import type { Outcome } from '../../../src/model/index.ts';

/** With line ends, quotes, spaces and halves of surrogate pairs. */
const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '\u2028', 'é', '😀', '\ud800') });
const rows = fc.array(fc.record({ row: fc.nat(), cells: fc.array(text, { maxLength: 3 }) }), {
  maxLength: 2,
});
const intents: fc.Arbitrary<Intent> = fc.record(
  {
    seq: fc.nat(),
    row: fc.nat(),
    key: text,
    kind: fc.constantFrom('create' as const, 'update' as const),
    rows,
    file: text,
    digests: fc.record({ fields: fc.constant('name,price'), digests: fc.constant('0123456789abcdef') }),
    supersedes: fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['seq', 'row', 'key', 'kind', 'rows'] },
);
const outcomes: fc.Arbitrary<Outcome> = fc.record(
  {
    outcome: fc.constantFrom('created' as const, 'failed' as const),
    attempts: fc.nat(),
    durationMs: fc.nat(),
    httpStatus: fc.nat(),
    id: text,
    code: text,
    field: text,
    message: text,
    kinds: fc.constant([{ code: 'required', count: 1, example: 'row 2: name is missing' }]),
  },
  { requiredKeys: ['outcome', 'attempts', 'durationMs'] },
);
const ends = fc.record({ seq: fc.nat(), outcome: outcomes });

const textOf = (intents: readonly Intent[], ends: Parameters<typeof entryPieces>[1]) =>
  Buffer.concat(entryPieces(intents.map(encodeIntent), ends).map((piece) => Buffer.from(piece)));

test('an entry is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(intents, { maxLength: 4 }), fc.array(ends, { maxLength: 4 }), (begun, ended) => {
      const entry = decodeLogEntry(textOf(begun, ended));
      expect(entry.ends).toEqual(ended.map(({ seq, outcome }) => [seq, outcome]));
      expect(entry.intents.map(unpackIntent)).toEqual(begun);
    }),
  );
});

test('the JSON of an intent for the tables is the same from the log and from the tables', () => {
  fc.assert(
    fc.property(intents, (intent) => {
      const [logged] = decodeLogEntry(textOf([intent], [])).intents as [PackedIntent];
      const stored = JSON.parse(packedText(logged)) as PackedIntent;
      expect(unpackIntent(stored)).toEqual(intent);
      expect(JSON.parse(packedText(stored))).toEqual(stored);
    }),
  );
});
