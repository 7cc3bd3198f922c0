import { grouped, PLAIN_COMMANDS, placeWords, runCommand, seconds, timeLeft } from '../model/index.ts';
import type { Progress, Watcher } from '../pipeline/index.ts';
import type { StoreClient } from '../store/index.ts';
import type { LiveClient, LiveProgress } from '../ui/index.ts';
import { logRecord } from './command-log.ts';
import { type CommandContext, warn } from './context.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { openedLines } from './output/inputs-text.ts';
import { createDisplayRate, imagesProgress, showProgress, waitingWords } from './output/progress.ts';
import { imageExampleLine, imageLines } from './output/summary-text.ts';

export interface ImportWatch {
  readonly watcher: Watcher;
  /** Called when there is a connection, so that waits can be shown. */
  connected(client: Pick<StoreClient, 'waiting' | 'answers' | 'learnedRate'>): void;
  stop(): void;
  /** Called when the user leaves at once: prints the state of the run. `ephemeral`: the store ends with the command. */
  leave(ephemeral?: boolean): void;
}

/** Reports the events of an import on the terminal and in the log. */
export function watchImport(
  context: CommandContext,
  interrupted: AbortSignal,
  skipQuestion = true,
  /** The command line that continues after leaving at once; left out, that of the run. */
  continueWith?: string,
): ImportWatch {
  const { terminal, log, json, watch } = context;
  let shown: { stop(): void } | undefined;
  let describe: (() => string) | undefined;
  let client: LiveClient | undefined;
  let begun: Begun | undefined;
  let fromPipe = false;
  const onInterrupt = () => {
    // A page has no Ctrl-C.
    const hint = watch ? '' : ' Press Ctrl-C again to stop at once.';
    terminal.error(`Stopping: waiting for requests in flight.${hint}`);
    log.warn({}, 'Interrupted: stopping, and waiting for requests in flight.');
  };
  interrupted.addEventListener('abort', onInterrupt);
  return {
    watcher: {
      opened: (inputs) => {
        fromPipe = inputs.files.some(({ source }) => source.size === undefined);
        for (const line of openedLines(inputs)) {
          terminal.note(line);
          log.info({}, line);
        }
      },
      warned: (message) => warn(context, message),
      checkingImages(progress) {
        shown?.stop();
        shown = showProgress(terminal, () => imagesProgress(progress));
      },
      imagesChecked(counts, examples) {
        shown?.stop();
        shown = undefined;
        for (const line of [...imageLines(counts), ...examples.map(imageExampleLine)]) terminal.note(line);
        log.info({ images: counts }, 'images were checked');
      },
      began(run, settled) {
        begun = run;
        const { id, mode, store, mapping, out } = run;
        log.about({ run: id, ...(store === null ? {} : { store }) });
        log.facts?.enter(store === null ? 'check' : 'deliver');
        watch?.began?.(id, store);
        log.info({ mode, mapping: mapping.name, out, settled }, settled > 0 ? 'run goes on' : 'run begins');
      },
      recordFailed: log.hasInfo ? (end) => logRecord(log, end) : undefined,
      started(progress) {
        shown?.stop();
        describe = progressLine(progress, () => waitingWords(client?.waiting?.()));
        watch?.follow?.({ progress: liveProgress(progress), client });
        shown = showProgress(terminal, describe);
      },
      async canary(records) {
        // The question and the live line would overwrite each other.
        shown?.stop();
        const text = `These ${records.length} records were sent first. Send the rest?`;
        const lines = records.map(
          ({ key, outcome, ...place }) =>
            `${placeWords(place)}, ${key}: ${outcome.outcome} ${outcome.id ?? outcome.message ?? ''}`,
        );
        for (const line of lines) terminal.note(`  ${line}`);
        const yes =
          skipQuestion ||
          (await (watch?.ask ? watch.ask({ text, lines }) : (terminal.questions?.yesNo(text) ?? false)));
        if (describe) shown = showProgress(terminal, describe);
        return yes;
      },
    },
    connected(store) {
      client = store;
      watch?.follow?.({ client });
      shown ??= showProgress(terminal, () => waitingWords(store.waiting()).trimEnd());
    },
    stop() {
      shown?.stop();
      interrupted.removeEventListener('abort', onInterrupt);
    },
    leave(ephemeral = false) {
      shown?.stop();
      const { message, hints } = finalMessage(begun, { fromPipe, ephemeral, continueWith });
      terminal.error([message, ...hints.map((hint) => `  ${hint}`)].join('\n'));
      log.warn({}, message);
      const error = { kind: 'stopped', reason: 'interrupted', message, hints };
      if (json) terminal.out(JSON.stringify({ error, exit_code: EXIT_CODES.interrupted.code }));
    },
  };
}

function liveProgress({ count, part, before = 0 }: Progress): LiveProgress {
  return { records: () => count.records, part, before, outcomes: () => count.outcomes() };
}

type Begun = Parameters<NonNullable<Watcher['began']>>[0];

/** Final message for a run that is left at once: its state and the next step. `ephemeral`: see `leave`. */
function finalMessage(
  run: Begun | undefined,
  {
    fromPipe,
    ephemeral,
    continueWith,
  }: {
    readonly fromPipe: boolean;
    readonly ephemeral: boolean;
    readonly continueWith: string | undefined;
  },
): { readonly message: string; readonly hints: readonly string[] } {
  if (run === undefined) return { message: 'Stopped at once, before anything was sent.', hints: [] };
  const { id, command, mapping } = run;
  const message = `Stopped at once, in the middle of the run ${id}.`;
  if (command === 'validate') return { message, hints: [] };
  if (continueWith !== undefined && !ephemeral) return { message, hints: [`To continue: ${continueWith}`] };
  if (command === 'adopt') return { message, hints: ['To continue: adopt the same file again.'] };
  if (command === 'undo')
    return { message, hints: [`To continue: ${runCommand('run undo', mapping.name.replace(/^undo /, ''))}`] };
  if (ephemeral) return { message, hints: ['It was for a sandbox, which no longer exists.'] };
  const hints = [
    fromPipe
      ? 'To continue: import the same input again; what the store has of it is not sent again.'
      : `To continue: ${PLAIN_COMMANDS.resume(id)}`,
    `Requests that were in flight are in doubt: ${PLAIN_COMMANDS.resolve(id)}`,
  ];
  return { message, hints };
}

/** `45 % 1,200 records, 300/s, 3s left: 1,190 created, 10 invalid`, preceded by what is waited for. */
export function progressLine({ count, part, before = 0 }: Progress, waiting: () => string): () => string {
  const rate = createDisplayRate(count.records);
  const startedAt = performance.now();
  return () => {
    const wait = waiting();
    const perSecond = grouped(Math.round(rate(count.records)));
    if (count.records === 0)
      return `${wait}${count.planned === 0 ? 'Reading; no record yet' : 'No record is done yet'}.`;
    const done = part();
    const elapsed = (performance.now() - startedAt) / 1000;
    const rest = wait === '' ? timeLeft(elapsed, { part: done, records: count.records, before }) : undefined;
    const left = rest === undefined ? '' : `, ${seconds(rest)} left`;
    const outcomes = Object.entries(count.outcomes()).map(([word, times]) => `${grouped(times)} ${word}`);
    const percent = done === undefined ? '' : `${Math.floor(done * 100)} % `;
    return `${wait}${percent}${grouped(count.records)} ${count.records === 1 ? 'record' : 'records'}, ${perSecond}/s${left}: ${outcomes.join(', ')}`;
  };
}
