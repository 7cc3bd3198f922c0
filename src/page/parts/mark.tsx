/** How something is shown: a colour, always with a shape. */
export type MarkLook = 'good' | 'even' | 'attention' | 'wrong' | 'doubt';

const PATHS: Readonly<Record<MarkLook, string>> = {
  good: 'M6 1a5 5 0 1 0 .01 0z',
  even: 'M6 1a5 5 0 1 0 .01 0zM6 3a3 3 0 1 1-.01 0z',
  attention: 'M6 1l5.5 10h-11z',
  wrong: 'M1 2.5 2.5 1 6 4.5 9.5 1 11 2.5 7.5 6 11 9.5 9.5 11 6 7.5 2.5 11 1 9.5 4.5 6z',
  doubt: 'M6 0l6 6-6 6-6-6z',
};

/** The mark beside a word, so that nothing rests on colour alone. */
export function Mark({ look }: { readonly look: MarkLook }) {
  return (
    <svg class={`shape ${look}`} viewBox="0 0 12 12" aria-hidden="true">
      <path fill-rule="evenodd" d={PATHS[look]} />
    </svg>
  );
}

/** Looks of the outcomes, in the order in which they are shown. */
const OUTCOME_LOOKS: ReadonlyMap<string, MarkLook> = new Map([
  ['created', 'good'],
  ['create', 'good'],
  ['updated', 'good'],
  ['update', 'good'],
  ['planned', 'good'],
  ['unchanged', 'even'],
  ['duplicate', 'even'],
  ['unsent', 'attention'],
  ['invalid', 'wrong'],
  ['rejected', 'wrong'],
  ['failed', 'wrong'],
  ['in-doubt', 'doubt'],
]);

export function lookOf(outcome: string): MarkLook {
  return OUTCOME_LOOKS.get(outcome) ?? 'even';
}

/** Outcomes that occurred, in the order in which they are shown. */
export function countsInOrder(
  outcomes: Readonly<Record<string, number>>,
): readonly { readonly outcome: string; readonly count: number }[] {
  const known = [...OUTCOME_LOOKS.keys()];
  const others = Object.keys(outcomes).filter((word) => !OUTCOME_LOOKS.has(word));
  return [...known, ...others].flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });
}
