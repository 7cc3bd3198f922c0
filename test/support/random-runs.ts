import fc from 'fast-check';
import type { NewRun } from '../../src/ledger/index.ts';
import {
  type FieldDigests,
  INCOMPLETE,
  type KeptRow,
  type Outcome,
  type OutcomeStatus,
  type RecordRef,
  type RecordResult,
} from '../../src/model/index.ts';
import { NEW_RUN } from './new-run.ts';

/** One run of a ledger, as a test executes it. */
export interface RandomRun {
  readonly run: NewRun;
  readonly records: readonly RecordResult[];
  /** Of records that end later. */
  readonly state: 'done' | 'stopped' | 'running';
}

/** Keys that are the same once they are normalised, and keys that no engine may confuse. */
const KEYS = [
  'MUG-1',
  ' MUG-1 ',
  'mug-1',
  'Ä-1',
  'A\u0308-1',
  '\u00a0Ä-1',
  'ä-1',
  'ß',
  '😀',
  'Ann@Shop.example',
  'ann@shop.example',
  'ÄNN@shop.example',
  'it\'s "quoted" \\ %_',
  'Z',
  'a',
  '_',
  '\u001a0041',
  '',
  ' ',
];

const OUTCOMES: readonly OutcomeStatus[] = [
  'created',
  'created',
  'updated',
  'unchanged',
  'duplicate',
  'invalid',
  'rejected',
  'failed',
  'unsent',
  'in-doubt',
];

/** Cells that text of Postgres could not hold, were they not JSON. */
const cells = fc.array(
  fc.constantFrom('', 'Mug', 'a\0b', '\ud800', '😀', '"', '\n', "'", 'long '.repeat(200)),
  {
    maxLength: 3,
  },
);

const drafts = fc.record({
  key: fc.constantFrom(...KEYS),
  word: fc.constantFrom(...OUTCOMES),
  isDetailed: fc.boolean(),
  hasId: fc.boolean(),
  isAnswered: fc.boolean(),
  attempts: fc.integer({ min: 0, max: 3 }),
  cells,
  file: fc.integer({ min: 0, max: 1 }),
  code: fc.constantFrom('c', 'no-update', 'taken-back', 'crash'),
  fields: fc.constantFrom(undefined, 'name', 'name,price'),
  /** Chooses an earlier record that it replaces. */
  earlier: fc.option(fc.nat({ max: 40 })),
});
type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never;

const runDrafts = fc.record({
  command: fc.constantFrom<NewRun['command']>('import', 'import', 'import', 'adopt', 'undo'),
  resource: fc.constantFrom('products', 'customers'),
  isRemembered: fc.constantFrom(true, true, true, false),
  files: fc.constantFrom(1, 1, 2),
  header: fc.constantFrom(['name'], ['price', 'name'], ['name', 'name', 'x']),
  state: fc.constantFrom<RandomRun['state']>('done', 'stopped', 'running'),
  records: fc.array(drafts, { maxLength: 12 }),
});

/** Runs at one store, in the order in which they begin. Numbers of runs are 1, 2, … */
export const randomRuns = fc.array(runDrafts, { minLength: 1, maxLength: 4 }).map((runs): RandomRun[] => {
  // Only current records are imported again, and one in doubt is either replaced in a run or shared: `sequel` points to the
  // last record of a chain.
  let current: RecordRef[] = [];
  let inDoubt: RecordRef[] = [];
  return runs.map(({ command, resource, isRemembered, files, header, state, records }, index) => {
    const number = index + 1;
    const names = ['a.csv', 'b.csv'].slice(0, files);
    const [refs, doubts] = number % 2 === 0 ? [[...current], []] : [[], inDoubt];
    const results = records.map((draft, seq) => resultOf(draft, { seq, names, refs, doubts }));
    const replaced = new Set(results.flatMap(({ supersedes = [] }) => supersedes.map(String)));
    current = current.filter((ref) => !replaced.has(String(ref)));
    inDoubt = inDoubt.filter((ref) => !replaced.has(String(ref)));
    for (const { seq, outcome, sharesOutcomeOf } of results) {
      if (sharesOutcomeOf || !INCOMPLETE.has(outcome.outcome)) continue;
      current.push([number, seq]);
      if (outcome.outcome === 'in-doubt') inDoubt.push([number, seq]);
    }
    const run: NewRun = {
      ...{ ...NEW_RUN, id: `r${number}`, command, resource, header, remembered: isRemembered },
      files: names.map((file) => ({ file, path: `/data/${file}` })),
      startedAt: 1000 * number,
    };
    return { run, records: results, state };
  });
});

interface Around {
  readonly seq: number;
  readonly names: readonly string[];
  /** Earlier records that may be replaced; each is replaced once in a run. */
  readonly refs: RecordRef[];
  readonly doubts: readonly RecordRef[];
}

function resultOf(draft: Draft, { seq, names, refs, doubts }: Around): RecordResult {
  const { key, word, isDetailed, hasId, isAnswered, attempts, code, fields, earlier } = draft;
  const isIncomplete = INCOMPLETE.has(word);
  const detailed = isIncomplete || isDetailed;
  const outcome: Outcome = {
    ...{ outcome: word, attempts, durationMs: seq * 3 },
    id: hasId ? `id-${seq}` : undefined,
    httpStatus: isAnswered ? 201 : undefined,
    ...(detailed ? { code, field: 'name', message: `Ünfit "${key}"` } : {}),
    ...(word === 'invalid' ? { kinds: [{ code, count: 2, example: 'row 7', field: 'name' }] } : {}),
  };
  // Two rows for each record, as with products that have options.
  const rows: KeptRow[] = [0, 1].map((more) => ({ row: 2 + 2 * seq + more, cells: draft.cells }));
  const digests: FieldDigests | undefined =
    fields === undefined || isIncomplete
      ? undefined
      : { fields, digests: 'd'.repeat(8 * fields.split(',').length) };
  const shared = word === 'in-doubt' && attempts === 0 ? pick(doubts, earlier) : undefined;
  const replaced = shared || earlier === null ? [] : refs.splice(earlier % (refs.length + 1), 1);
  return {
    ...{ seq, row: 2 + 2 * seq, key, outcome, digests },
    file: names.length > 1 ? names[draft.file] : undefined,
    rows: isIncomplete ? rows : undefined,
    ...(replaced.length > 0 ? { supersedes: replaced } : {}),
    ...(shared ? { sharesOutcomeOf: shared } : {}),
  };
}

function pick<Item>(items: readonly Item[], at: number | null): Item | undefined {
  return at === null || items.length === 0 ? undefined : items[at % items.length];
}
