import { countOf, grouped } from '../../model/index.ts';
import { figureWords, findingRows, listedFindings } from '../look-text.ts';
import type { Summary } from '../summary.ts';
import { asHtml, type Html } from './html.ts';

/** The findings, and the figures of the records. `withRows`: values may be shown. */
export function lookSection({ files, findings }: Summary, withRows: boolean): Html | undefined {
  const shown = listedFindings(findings);
  const looks = files.flatMap(({ file, figures }) => (figures ? [{ file, figures }] : []));
  if (shown.length === 0 && looks.length === 0) return undefined;
  return asHtml`${shown.length > 0 && findingTable(shown, withRows)}${
    looks.length > 0 &&
    asHtml`<section><h2>What the valid records are like</h2>${looks.map(({ file, figures }) => figureTable(file, figures, withRows))}</section>`
  }`;
}

/** Says beside the headline that there are findings: it may be green all the same. */
export function findingsNote(run: Summary): Html | undefined {
  const findings = listedFindings(run.findings);
  const fields = new Set(findings.flatMap(({ field }) => field ?? []));
  const about = fields.size === 0 ? '' : ` It is about ${[...fields].join(', ')}.`;
  return findings.length === 0
    ? undefined
    : asHtml`<p><b>Valid, and probably not meant:</b> ${countOf(findings.length, 'finding')}.${about}</p>`;
}

function findingTable(findings: NonNullable<Summary['findings']>, withRows: boolean): Html {
  return asHtml`<section><h2>Valid, and probably not meant</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Valid, and probably not meant"><table><thead><tr><th>Records</th><th>Code</th><th>Field</th>${withRows && asHtml`<th>Where</th><th>What it is</th>`}<th>What to do</th></tr></thead><tbody>${findings.map(
    (finding) =>
      asHtml`<tr><td class="number">${grouped(finding.count)}</td><td class="mono nowrap">${finding.code}</td><td class="mono nowrap">${finding.field ?? ''}</td>${
        withRows && asHtml`<td>${finding.file}<br>${findingRows(finding)}</td><td>${finding.message}</td>`
      }<td>${finding.advice}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function figureTable(
  file: string,
  figures: NonNullable<Summary['files'][number]['figures']>,
  withRows: boolean,
): Html {
  const { filled, empty, sampled } = figureWords(figures);
  return asHtml`<div class="scroll" tabindex="0" role="region" aria-label="The records of ${file}"><table><thead><tr><th>${file}</th><th>Records that have it</th>${withRows && asHtml`<th>Values</th>`}</tr></thead><tbody>${filled.map(
    ({ field, count, words }) =>
      asHtml`<tr><td class="mono nowrap">${field}</td><td>${count}</td>${withRows && asHtml`<td>${words}</td>`}</tr>`,
  )}</tbody></table></div>${empty.length > 0 && asHtml`<p>None has ${empty.join(', ')}.</p>`}${sampled !== undefined && asHtml`<p>${sampled}</p>`}`;
}
