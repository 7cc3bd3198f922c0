import {
  againHint,
  ageMilliseconds,
  bytesText,
  ConfigError,
  countOf,
  grouped,
  type OutcomeStatus,
  printedCommand,
} from '../../model/index.ts';
import { AGE } from '../../options/index.ts';
import type { KeptRunLine, PrunedRunLine, PruneSummary } from '../../pipeline/index.ts';
import type { Command } from './command.ts';

interface PruneArguments {
  readonly olderThan?: string | undefined;
  readonly store?: string | undefined;
  readonly alsoUnfinished: boolean;
  readonly dryRun: boolean;
}

export const runPruneCommand: Command<PruneArguments> = {
  usage: 'prune',
  summary: 'Drop records of old runs from the ledger; what later imports need stays',
  options: {
    'older-than': {
      topic: 'selection',
      syntax: AGE,
      describe: 'Age from which runs are pruned, counted from their end: 90d, 12w or 36h (required)',
    },
    store: {
      topic: 'selection',
      describe: 'Only runs for the store with this address, as run list shows it',
    },
    'also-unfinished': {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe:
        'Also runs that stopped early, or have rows that did not arrive: those rows are dropped. Records in doubt always stay',
    },
    'dry-run': {
      topic: 'sending',
      type: 'boolean',
      default: false,
      describe: 'Only show what would be dropped',
    },
  },
  examples: [
    ['$0 run prune --older-than 90d --dry-run', 'Show what would go, and how much space it takes'],
    ['$0 run prune --older-than 90d --quiet', 'For a nightly job'],
  ],
  async run({ home, olderThan, store, alsoUnfinished, dryRun }, { terminal, log, json }) {
    if (olderThan === undefined)
      throw new ConfigError('--older-than is missing: how long are the records of a run to be kept?', [
        `To see what it would drop, for example: ${printedCommand('run prune', [], { 'older-than': '90d', 'dry-run': true })}`,
      ]);
    const { pruneRuns } = await import('../../pipeline/index.ts');
    let shownAt = performance.now();
    let dropped = 0;
    const summary = await pruneRuns({
      ...{ home, store, alsoUnfinished, dryRun },
      olderThanMs: ageMilliseconds(olderThan),
      onTrouble: terminal.error,
      onDropped(records) {
        dropped += records;
        if (performance.now() - shownAt < SHOWN_EVERY_MS) return;
        shownAt = performance.now();
        terminal.note(`${grouped(dropped)} records dropped so far`);
      },
    });
    const { pruned, kept, ...totals } = summary;
    log.info({ ...totals, pruned: pruned.length, kept: kept.length }, 'prune ended');
    terminal.out(json ? JSON.stringify(summary) : pruneText(summary));
    return 0;
  },
};

const SHOWN_EVERY_MS = 5000;

function pruneText(summary: PruneSummary): string {
  const { dry_run, before, pruned, kept, records, record_bytes, bytes_before, bytes_after, bytes_free } =
    summary;
  const day = before.slice(0, 10);
  // A run whose records are all needed is not worth a line.
  const shown = pruned.filter((line) => line.records > 0);
  const [runs, gone] = [countOf(shown.length, 'run'), countOf(records, 'record')];
  const verb = shown.length === 1 ? 'has' : 'have';
  return [
    shown.length === 0
      ? `No run to prune: none that ended before ${day} has records that may be dropped.`
      : dry_run
        ? `${runs} ${verb} ended before ${day}, with ${gone} to drop (about ${bytesText(record_bytes)}). Nothing was changed.`
        : `Pruned ${runs} that ended before ${day}: dropped ${gone}.`,
    ...shown.map(prunedLine),
    ...(kept.length > 0 ? ['Kept whole:', ...kept.map(keptLine)] : []),
    ...(kept.some(({ reason }) => reason === 'unfinished')
      ? [
          'Their rows may have no other copy. Correct them, or continue the runs; or drop the rows with --also-unfinished.',
          ...againHint({ 'also-unfinished': true }),
        ]
      : []),
    dry_run
      ? `The ledger has ${bytesText(bytes_before)}.`
      : `The ledger had ${bytesText(bytes_before)}, and now has ${bytesText(bytes_after)}${bytes_free > 0 ? `; ${bytesText(bytes_free)} of it are free for later runs` : ''}.`,
  ].join('\n');
}

function prunedLine({ run, resource, store, records, kept_records, dropped }: PrunedRunLine): string {
  const stay = kept_records > 0 ? `; ${grouped(kept_records)} stay` : '';
  return `  ${run}  ${resource}  ${countOf(records, 'record')} (${wordsOf(dropped)})${stay}  (${store})`;
}

function keptLine({ run, resource, store, reason, process, open, stopped }: KeptRunLine): string {
  const by = process ? `: ${process.who}, process ${process.pid}` : '';
  const unfinished = [stopped === null ? '' : `stopped (${stopped})`, wordsOf(open)].filter(
    (words) => words !== '',
  );
  const why =
    reason === 'unfinished'
      ? unfinished.join(', ')
      : reason === 'running'
        ? `it is at work${by}`
        : `its store is in use${by}`;
  return `  ${run}  ${resource}  ${why}  (${store})`;
}

function wordsOf(counts: Readonly<Partial<Record<OutcomeStatus, number>>>): string {
  return Object.entries(counts)
    .map(([word, count]) => `${grouped(count)} ${word}`)
    .join(', ');
}
