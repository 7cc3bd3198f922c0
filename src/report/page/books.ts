import { grouped } from '../../model/index.ts';
import { asHtml, type Html } from './html.ts';
import { OUTCOME_MEANINGS, OUTCOME_TONES, type Tone } from './outcome-words.ts';

/** Width of the bar in units of its own. */
const WIDTH = 1000;
/** Least width of a part, so that one record of a million is seen. */
const LEAST = 4;

/** The outcomes of a run as a bar, and as a list with their meanings. */
export function books(outcomes: Readonly<Record<string, number>>, records: number): Html {
  const parts = [...OUTCOME_TONES].flatMap(([word, tone]) => {
    const count = outcomes[word] ?? 0;
    return count === 0 ? [] : [{ word, tone, count }];
  });
  if (parts.length === 0) return asHtml`<p class="quiet">No record was read.</p>`;
  const label = parts.map(({ word, count }) => `${grouped(count)} ${word}`).join(', ');
  let at = 0;
  const all = Math.max(records, 1);
  const spare = WIDTH - LEAST * parts.length;
  return asHtml`<svg class="bar" viewBox="0 0 ${WIDTH} 16" preserveAspectRatio="none" role="img" aria-label="${label}">${parts.map(
    ({ tone, count }) => {
      const width = LEAST + (spare * count) / all;
      const rectangle = asHtml`<rect class="${tone}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="16"/>`;
      at += width;
      return rectangle;
    },
  )}</svg>
<ul class="legend">${parts.map(
    ({ word, tone, count }) =>
      asHtml`<li>${shape(tone)}<b>${grouped(count)}</b> ${word} <span class="quiet small">(${OUTCOME_MEANINGS[word] ?? ''})</span></li>`,
  )}</ul>`;
}

const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M6 1a5 5 0 1 0 .01 0z',
  plain: 'M6 1a5 5 0 1 0 .01 0zM6 3a3 3 0 1 1-.01 0z',
  attention: 'M6 1l5.5 10h-11z',
  wrong: 'M1 2.5 2.5 1 6 4.5 9.5 1 11 2.5 7.5 6 11 9.5 9.5 11 6 7.5 2.5 11 1 9.5 4.5 6z',
  doubt: 'M6 0l6 6-6 6-6-6z',
};

/** The mark of an outcome, so that it does not rest on colour alone. */
export function shape(tone: Tone): Html {
  return asHtml`<svg class="shape ${tone}" viewBox="0 0 12 12" aria-hidden="true"><path fill-rule="evenodd" d="${SHAPES[tone]}"/></svg>`;
}

/** The word of an outcome with its mark. */
export function outcomeMark(word: string): Html {
  return asHtml`${shape(OUTCOME_TONES.get(word) ?? 'plain')}${word}`;
}
