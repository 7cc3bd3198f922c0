import { countOf, durationText, grouped, type RunActivity } from '../../model/index.ts';
import { chartsSection } from './charts.ts';
import { factList, minuteText, wholePage } from './document.ts';
import { asHtml, type Html } from './html.ts';

/** Everything that the page of an export shows. It has no item of the store. */
export interface ExportPage {
  readonly resource: string;
  readonly singular: string;
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly store: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** True if no item can be missing that was in the list all the time. */
  readonly complete: boolean;
  /** Items in the file, and those that this export wrote. */
  readonly rows: number;
  readonly added: number;
  /** Items that were left out or that are worth a look, by reason. */
  readonly noted: readonly { readonly says: string; readonly count: number }[];
  /** Fields that no column shows, with the number of items that have them. */
  readonly notInColumns: Readonly<Record<string, number>>;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly activity: RunActivity | undefined;
}

/** Makes the page of an export. */
export function exportPage(page: ExportPage): string {
  const { resource, singular, file, rows, added, complete, noted, notInColumns, activity } = page;
  const fresh = added === rows ? '' : 'new ';
  const count = `${countOf(added, `${fresh}${singular} is`, `${fresh}${resource} are`)}`;
  const all = added === rows ? '' : `, which has ${grouped(rows)} now`;
  const title = `${count} in ${file}${all}${complete ? '' : '; some may be missing'}`;
  const seen = noted.filter((each) => each.count > 0);
  const fields = Object.entries(notInColumns);
  return wholePage(
    title,
    asHtml`<header><h1>${title}</h1>
<p class="quiet">${minuteText(page.startedAt)}, in ${durationText(page.durationMs)}, from ${page.store}.</p>${
      !complete &&
      asHtml`<div class="banner" role="note"><b>Not complete.</b> The list changed while it was read, so that an item may be missing. Export again.</div>`
    }</header>
<main>${seen.length > 0 && asHtml`<section><h2>What to know of it</h2><ul>${seen.map((each) => asHtml`<li>${grouped(each.count)} ${each.says}</li>`)}</ul></section>`}${
      fields.length > 0 &&
      table(
        'Fields that no column shows',
        ['Field', 'Items'],
        fields.map(([name, items]) => [name, grouped(items)]),
      )
    }${activity && chartsSection(activity, 'Items')}${factList(page.facts)}</main>`,
  );
}

/** Rows of a table that are shown. */
const MOST_LINES = 200;

function table(title: string, header: readonly string[], lines: readonly (readonly string[])[]): Html {
  return asHtml`<section><h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${header.map((name) => asHtml`<th>${name}</th>`)}</tr></thead><tbody>${lines
    .slice(0, MOST_LINES)
    .map(
      (cells) => asHtml`<tr>${cells.map((cell) => asHtml`<td>${cell}</td>`)}</tr>`,
    )}</tbody></table></div>${lines.length > MOST_LINES && asHtml`<p>And ${grouped(lines.length - MOST_LINES)} more.</p>`}</section>`;
}
