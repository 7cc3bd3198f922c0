import { countOf, durationText, grouped } from '../../model/index.ts';
import { migrationSteps } from '../migration-steps.ts';
import type { MigrationStepSummary, MigrationSummary } from '../migration-summary.ts';
import { books } from './books.ts';
import { factList, minuteText, wholePage } from './document.ts';
import { asHtml, type Html } from './html.ts';
import { arrivedIn, incompleteIn } from './outcome-words.ts';
import { hostOf, runSentence } from './page.ts';

/** Makes report.html of a migration. `linkTo`: the address of a step's own page, relative to this one. */
export function migrationPage(migration: MigrationSummary, linkTo: (out: string) => string): string {
  const { plan, steps, outcomes, records, attempts, stopped, versions } = migration;
  const title = migrationSentence(migration);
  const next = migrationSteps(migration);
  const notUndone = Object.entries(migration.not_undone ?? {});
  return wholePage(
    title,
    asHtml`<header><h1>${title}</h1>${books(outcomes, records)}
<p class="quiet">${minuteText(migration.started_at)}, in ${durationText(migration.duration_ms)}. <span class="nowrap">Migration ${migration.migration}.</span></p>
${stopped && asHtml`<div class="banner" role="note"><b>Stopped early.</b> ${stopped.message}</div>`}</header>
<main>${
      next.length > 0 &&
      asHtml`<section><h2>What to do next</h2><ol class="steps">${next.map(
        ({ text, command }) =>
          asHtml`<li>${text}${command !== undefined && asHtml`<div class="command"><code>${command}</code></div>`}</li>`,
      )}</ol></section>`
    }${
      notUndone.length > 0 &&
      asHtml`<section><h2>What cannot be undone</h2><p>The store's API can neither delete nor update these. They are still in the store.</p><ul>${notUndone.map(([resource, count]) => asHtml`<li>${grouped(count)} ${resource}</li>`)}</ul></section>`
    }${
      migration.notes &&
      asHtml`<section><h2>What was known before</h2><ul>${migration.notes.map((note) => asHtml`<li>${note}</li>`)}</ul></section>`
    }${steps.map((step, index) => stepSection(step, index + 1, linkTo))}${factList([
      ['Plan', plan.file],
      ['Digest of the plan', plan.sha256],
      ['Store', migration.store ?? 'none'],
      ['Order', migration.order.join(', ')],
      ['Requests', grouped(attempts)],
      ['Reports', migration.out],
      ['storeport', `${versions.storeport}, Node ${versions.node}`],
    ])}</main>`,
  );
}

/** `Paris shop: 1,240 of 1,243 records arrived in shop.example.com; 3 records need you` */
export function migrationSentence({ plan, phase, outcomes, records, store }: MigrationSummary): string {
  const open = incompleteIn(outcomes);
  const all = records - (outcomes.duplicate ?? 0);
  const done = arrivedIn(outcomes) + (outcomes.planned ?? 0);
  const share = done === all && all > 1 ? `All ${grouped(all)}` : `${grouped(done)} of ${grouped(all)}`;
  const did = {
    check: 'records are ready to be imported',
    import: `records arrived${store === null ? '' : ` in ${hostOf(store)}`}`,
    undo: 'records are in the trash',
  }[phase];
  const rest = open === 0 ? '' : `; ${countOf(open, 'record needs', 'records need')} you`;
  return `${plan.title ?? plan.file}: ${share} ${did}${rest}`;
}

const STATES: Readonly<Record<MigrationStepSummary['state'], string>> = {
  done: '',
  before: 'Done before, by an earlier command.',
  stopped: 'Stopped early.',
  left: 'Not begun.',
};

function stepSection(
  { resource, state, run }: MigrationStepSummary,
  number: number,
  linkTo: (out: string) => string,
): Html {
  return asHtml`<section><h2>${number}. ${resource}</h2>${STATES[state] !== '' && asHtml`<p class="quiet">${STATES[state]}</p>`}${
    run !== null &&
    asHtml`<p>${runSentence(run)}. <a href="${linkTo(run.out)}">Report of this step</a></p>${books(run.outcomes, run.records)}`
  }</section>`;
}
