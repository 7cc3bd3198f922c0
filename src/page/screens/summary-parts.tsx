import type { FileFigures, LookFinding, ValueInRow } from '../../ui/api/index.ts';
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
  readonly findings?: readonly LookFinding[];
  readonly files?: readonly { readonly file: string; readonly figures?: FileFigures }[];
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

/** Findings, each with its first rows and a way to mend it. */
export function FindingList({ findings }: { readonly findings: readonly LookFinding[] }) {
  return (
    <ul class="causes" aria-label="Valid, and probably not meant">
      {findings.map(({ code, file, field, count, rows, message, advice }) => (
        <li key={`${file} ${code} ${field} ${message}`}>
          <Mark look="attention" />
          <div>
            <b>{plural(count, 'record')}</b>
            {field === undefined ? null : (
              <>
                , <code>{field}</code>
              </>
            )}{' '}
            <span class="quiet small">({code})</span>
            <span class="example">
              <bdi>{message}</bdi>
            </span>
            <span class="small example">
              {rows.length === 0
                ? ''
                : `${rows.length === 1 ? 'Row' : 'Rows'} ${rows.map(counted).join(', ')}. `}
              {advice}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A line for each field that some records have. */
export function FigureTable({ file, figures }: { readonly file: string; readonly figures: FileFigures }) {
  const { records, fields, sampled } = figures;
  const empty = fields.filter(({ count }) => count === 0).map(({ field }) => field);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table. */}
      <section class="scroll" tabIndex={0} aria-label={`What the records of ${file} are like`}>
        <table>
          <thead>
            <tr>
              <th>Field</th>
              <th>Have it</th>
              <th>Lowest</th>
              <th>Middle</th>
              <th>Highest</th>
              <th>Different</th>
              <th>Most frequent</th>
            </tr>
          </thead>
          <tbody>
            {fields
              .filter(({ count }) => count > 0)
              .map(({ field, count, compared, different, about, lowest, middle, highest, frequent = [] }) => (
                <tr key={field}>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td class="number">{Math.floor((count * 100) / (sampled ?? records))} %</td>
                  <td>{inRow(lowest)}</td>
                  <td>{inRow(middle)}</td>
                  <td>{inRow(highest)}</td>
                  <td class="number">
                    {different === undefined ? '' : differentText(different, about, compared)}
                  </td>
                  <td>{frequent.map(([value, times]) => `${counted(times)} × ${value}`).join(', ')}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
      {empty.length === 0 ? null : <p class="small">None has {empty.join(', ')}.</p>}
      {sampled === undefined ? null : (
        <p class="small">
          Fields were counted in {counted(sampled)} records: the first, and a part of the others. The lowest
          and the highest are those of all.
        </p>
      )}
    </>
  );
}

function differentText(different: number, about: true | undefined, compared: number | undefined): string {
  const among = compared === undefined ? '' : ` of ${counted(compared)}`;
  return `${about ? 'about ' : ''}${counted(different)}${among}`;
}

function inRow(value: ValueInRow | undefined): string {
  return value === undefined ? '' : `${value[0]} (row ${counted(value[1])})`;
}
