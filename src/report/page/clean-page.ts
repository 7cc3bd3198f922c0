import { countOf, cutText, durationText, grouped, type ImageCounts, shownCell } from '../../model/index.ts';
import type { Problem, Summary, SummaryFile } from '../summary.ts';
import { books } from './books.ts';
import { factList, minuteText, wholePage } from './document.ts';
import { asHtml, type Html } from './html.ts';
import type { ReturnedRecords } from './returned-records.ts';
import { causesSection, imagesSection, leftOutSection, recordsSection, suspectSection } from './sections.ts';

/** Everything that the page of a clean-up shows. */
export interface CleanPage {
  readonly resource: string;
  readonly out: string;
  readonly rejects: string | null;
  readonly files: readonly SummaryFile[];
  readonly mapping: string;
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly changes: readonly CleanChange[];
  readonly problems: readonly Problem[];
  readonly neverHeld: NonNullable<Summary['never_held']>;
  /** Undefined if images were not checked. */
  readonly images?: ImageCounts | undefined;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Undefined if the page must not show rows, keys or cells. */
  readonly returned: ReturnedRecords | undefined;
}

export interface CleanChange {
  readonly says: string;
  /** Number of cells. */
  readonly count: number;
  readonly example: {
    readonly row: number;
    readonly column: string;
    readonly before: string;
    readonly after: string;
  };
}

/** Makes the page of a clean-up. */
export function cleanPage(page: CleanPage): string {
  const { resource, out, rejects, files, records, outcomes, problems, returned, neverHeld } = page;
  const good = outcomes.planned ?? 0;
  const others = records - good;
  const title = `${grouped(good)} of ${grouped(records)} ${resource} are clean${others === 0 ? '' : `; ${countOf(others, 'is', 'are')} left out`}`;
  const withRows = returned !== undefined;
  const all = (outcomes.invalid ?? 0) + (outcomes.rejected ?? 0);
  return wholePage(
    title,
    asHtml`<header><h1>${title}</h1>${books(outcomes, records)}
<p class="quiet">${minuteText(page.startedAt.toISOString())}, in ${durationText(page.durationMs)}.</p></header>
<main>${changesSection(page.changes, withRows)}${imagesSection(page)}${causesSection(problems, returned)}${
      returned &&
      rejects !== null &&
      recordsSection('Records that are left out', returned.wrong, { id: 'wrong', all, file: rejects })
    }${leftOutSection({ files, never_held: neverHeld }, withRows)}${suspectSection({ files }, withRows)}${factList(
      [
        ['Clean records', out],
        ...(rejects === null ? [] : [['All other rows', rejects] as const]),
        ['Mapping', page.mapping],
        ...files.map(
          ({ file, sha256 }) => ['File', sha256 === null ? file : `${file}, sha256 ${sha256}`] as const,
        ),
      ],
    )}</main>`,
  );
}

function changesSection(changes: readonly CleanChange[], withRows: boolean): Html | undefined {
  if (changes.length === 0) return undefined;
  return asHtml`<section><h2>What was changed</h2><div class="scroll" tabindex="0" role="region" aria-label="Changes"><table><thead><tr><th>Change</th><th>Cells</th>${withRows && asHtml`<th>Such as</th>`}</tr></thead><tbody>${changes.map(
    ({ says, count, example: { row, column, before, after } }) =>
      asHtml`<tr><td>${says}</td><td class="number">${grouped(count)}</td>${
        withRows &&
        asHtml`<td>row ${row}, ${column}: <span class="mono">${shortCell(column, before)}</span> → <span class="mono">${shortCell(column, after)}</span></td>`
      }</tr>`,
  )}</tbody></table></div></section>`;
}

const MOST_IN_CELL = 80;

/** A cell in quotes, so that blanks at its ends are seen. */
function shortCell(column: string, text: string): string {
  return JSON.stringify(shownCell(column, cutText(text, MOST_IN_CELL)));
}
