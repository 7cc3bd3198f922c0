import { lookOf, Mark } from '../parts/mark.tsx';
import { counted, plural } from '../text.ts';

/** The parts of a run's summary that the page shows. Its names are those of summary.json. */
export interface ShownSummary {
  readonly run: string;
  readonly resource: string;
  readonly store: string | null;
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly not_read?: number | null;
  readonly stopped?: { readonly reason: string; readonly message: string };
  readonly problems: readonly ShownProblem[];
  readonly plan?: {
    readonly actions: Readonly<Record<string, number>>;
    readonly requests: number;
    readonly rate?: number;
    readonly seconds?: number;
    readonly unused?: readonly { readonly column: string; readonly sample?: string }[];
  };
}

export interface ShownProblem {
  readonly outcome: string;
  readonly code: string;
  readonly field: string;
  readonly count: number;
  readonly example_row: number;
  readonly example: string;
}

/** The summary of a job that was a run or a check; undefined for others. */
export function summaryIn(result: Readonly<Record<string, unknown>> | undefined): ShownSummary | undefined {
  return result && Array.isArray(result.problems) ? (result as unknown as ShownSummary) : undefined;
}

/** Causes, the most frequent first, each with an example. */
export function CauseList({ problems }: { readonly problems: readonly ShownProblem[] }) {
  return (
    <ul class="causes">
      {problems.map(({ outcome, code, field, count, example_row, example }) => (
        <li key={`${outcome} ${code} ${field} ${example}`}>
          <Mark look={lookOf(outcome)} />
          <div>
            <b>{plural(count, 'record')}</b> {outcome}
            {field === '' ? '' : ', '}
            {field === '' ? null : <code>{field}</code>} <span class="quiet small">({code})</span>
            <span class="small example">
              {/^row \d/.test(example) ? '' : `Row ${counted(example_row)}: `}
              <bdi>{example}</bdi>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
