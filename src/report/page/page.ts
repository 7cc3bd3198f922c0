import { countOf, durationText, grouped, type JsonObject, type RunActivity } from '../../model/index.ts';
import type { ReportCommands } from '../format.ts';
import type { Summary } from '../summary.ts';
import { books } from './books.ts';
import { chartsSection } from './charts.ts';
import { minuteText, wholePage } from './document.ts';
import { asHtml } from './html.ts';
import { findingsNote, lookSection } from './look-section.ts';
import { arrivedIn, incompleteIn } from './outcome-words.ts';
import type { ReturnedRecords } from './returned-records.ts';
import {
  causesSection,
  factsSection,
  imagesSection,
  leftOutSection,
  planSection,
  recordsSection,
  stepsSection,
  suspectSection,
} from './sections.ts';

/** Everything that the page of a run shows. */
export interface RunPage {
  readonly run: Summary;
  /** Undefined if the page must not show rows, keys or cells. */
  readonly returned: ReturnedRecords | undefined;
  /** Options of the command, as the ledger keeps them. */
  readonly options: JsonObject;
  /** Undefined for checks, and for runs without any. */
  readonly activity?: RunActivity | undefined;
  /** Default: those of the plain command line. */
  readonly commands?: ReportCommands | undefined;
}

/** Makes report.html of a run: one file that needs no other, and asks no host for anything. */
export function runPage({ run, returned, options, activity, commands }: RunPage): string {
  const { outcomes, records, reports, stopped } = run;
  const withRows = returned !== undefined;
  const inDoubt = outcomes['in-doubt'] ?? 0;
  return wholePage(
    runSentence(run),
    asHtml`<header><h1>${runSentence(run)}</h1>${books(outcomes, records)}
<p class="quiet">${minuteText(run.started_at)}, in ${durationText(run.duration_ms)}${run.attempts > 0 && `, ${countOf(run.records_per_second, 'record')} a second`}. <span class="nowrap">Run ${run.run}.</span></p>
${findingsNote(run)}${stopped && asHtml`<div class="banner" role="note"><b>Stopped early.</b> ${stopped.message} ${unreadText(run)}</div>`}</header>
<main>${stepsSection(run, options, commands)}${planSection(run)}${imagesSection(run)}${causesSection(run.problems, returned)}${lookSection(run, withRows)}${
      returned &&
      recordsSection('In doubt', returned.inDoubt, {
        ...{ id: 'in-doubt', all: inDoubt, file: reports.in_doubt.join(', ') },
        note: 'These were sent, and the answer was lost. They may be in the store, so they are not sent again.',
      })
    }${
      returned &&
      recordsSection('Records that did not arrive', returned.wrong, {
        ...{ id: 'wrong', all: incompleteIn(outcomes) - inDoubt, file: reports.errors.join(', ') },
      })
    }${leftOutSection(run, withRows)}${suspectSection(run, withRows)}${activity && chartsSection(activity)}${factsSection(run, options)}</main>`,
  );
}

const VERBS: Readonly<Record<Summary['command'], (done: string, things: string) => string>> = {
  import: (done, things) => `${done} ${things} arrived`,
  validate: (done, things) => `${done} ${things} are ready to be imported`,
  adopt: (done, things) => `${done} ${things} are known now`,
  undo: (done, things) => `${done} ${things} are in the trash`,
};

/** Code of records that a program left out. They are unchanged, and may not be in the store. */
const LEFT_OUT = 'left-out';

/** `1,240 of 1,243 products arrived in shop.example.com; 3 records need you.` */
export function runSentence({ command, resource, outcomes, records, store, problems }: Summary): string {
  if (records === 0) return `No ${resource} were read`;
  const left = problems.reduce((sum, { code, count }) => sum + (code === LEFT_OUT ? count : 0), 0);
  const done = arrivedIn(outcomes) + (outcomes.planned ?? 0) - left;
  const open = incompleteIn(outcomes);
  // A duplicate is counted as the record that it repeats.
  const all = records - (outcomes.duplicate ?? 0) - left;
  const share = done === all && all > 1 ? `All ${grouped(all)}` : `${grouped(done)} of ${grouped(all)}`;
  const place = command === 'import' && store !== null ? ` in ${hostOf(store)}` : '';
  const rest = open === 0 ? '' : `; ${countOf(open, 'record needs', 'records need')} you`;
  const others = left === 0 ? '' : `; ${countOf(left, 'record was', 'records were')} left out`;
  return `${VERBS[command](share, resource)}${place}${others}${rest}`;
}

/** Host of a store for sentences; the text itself if it is no address. */
export function hostOf(store: string): string {
  return URL.canParse(store) ? new URL(store).host : store;
}

/** How much a run that stopped early left unread; undefined if it was nothing. */
export function unreadText({ not_read: count }: Pick<Summary, 'not_read'>): string | undefined {
  if (count === 0) return undefined;
  if (count === null || count === undefined) return 'The rest of the file was not read.';
  return `${countOf(count, 'record was', 'records were')} not read.`;
}
