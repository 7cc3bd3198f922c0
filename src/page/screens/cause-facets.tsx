import type { CauseView } from '../../ui/api/index.ts';
import { lookOf, Mark } from '../parts/mark.tsx';
import { counted, plural } from '../text.ts';

/** The causes of a run: choose one to see its rows alone. */
export function CauseFacets({
  causes,
  total,
  chosen,
  onChoose,
}: {
  readonly causes: readonly CauseView[];
  readonly total: number;
  readonly chosen: number | undefined;
  readonly onChoose: (cause: number | undefined) => void;
}) {
  return (
    <section aria-label="Causes" class="facet-box">
      <ul class="facets">
        <li>
          <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
            <span>
              <b>All {counted(total)} rows</b>
            </span>
          </button>
        </li>
        {causes.map(({ cause, outcome, code, field, rows, example }) => (
          <li key={cause}>
            <button type="button" aria-pressed={chosen === cause} onClick={() => onChoose(cause)}>
              <span>
                <Mark look={lookOf(outcome)} />
                <b>{plural(rows, 'row')}</b> {outcome}
                <span class="code">{field === '' ? code : `${field}: ${code}`}</span>
                <bdi class="example">{example}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
