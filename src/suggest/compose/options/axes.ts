import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import type { MatchesByRole } from '../by-role.ts';

/** The store has three options at most. */
export const MAX_OPTIONS = 3;

/** An option of products. */
export interface Axis {
  /** Column of its name, or the same name for all. */
  readonly name: string | { readonly const: string };
  /** Column of its value. */
  readonly value: string;
}

/** The columns that options are made of. */
export function optionCandidates(byRole: MatchesByRole): ColumnCandidate[] {
  const [value] = byRole('optionValue');
  const family = value?.candidate.numbers ? [value, ...byRole('optionName').slice(0, 1)] : undefined;
  const used = new Set(axesOf(byRole).flatMap(({ name, value: column }) => [name, column]));
  const matches = ['optionName', 'optionValue', 'axis'].flatMap((role) => byRole(role));
  return (family ?? matches.filter(({ candidate }) => used.has(candidate.name))).map(
    ({ candidate }) => candidate,
  );
}

/** The options by which variants differ. */
export function axesOf(byRole: MatchesByRole): Axis[] {
  const [value, ...others] = byRole('optionValue');
  if (value?.candidate.numbers) return familyAxes(value.candidate, byRole('optionName')[0]?.candidate);
  if (value) {
    const labels = byRole('optionName').filter(({ candidate }) => !candidate.numbers);
    const axes = [value, ...others].flatMap(({ candidate }) =>
      candidate.numbers ? [] : [{ candidate, label: labelOf(candidate, labels) }],
    );
    // Several columns of values are several options if each has a column for its name.
    // The same name for two is one option in two languages.
    const paired = axes.filter(
      ({ label }, n) => label !== undefined && axes.findIndex((each) => each.label === label) === n,
    );
    const used = paired.length > 1 ? paired : axes.slice(0, 1);
    return used.map(({ candidate, label }) => ({
      name: label ?? { const: 'Option 1' },
      value: candidate.name,
    }));
  }
  return byRole('axis').map(({ candidate }) => ({
    name: { const: titleCase(candidate.name) },
    value: candidate.name,
  }));
}

function familyAxes({ name, numbers = [] }: ColumnCandidate, label: ColumnCandidate | undefined): Axis[] {
  return numbers.map((number) => ({
    name: label === undefined ? { const: `Option ${number}` } : label.name.replace('{n}', number),
    value: name.replace('{n}', number),
  }));
}

/** Finds the column with the name of an option. Its own name is most like that of the column of values. */
function labelOf({ name }: ColumnCandidate, labels: readonly RoleMatch[]): string | undefined {
  const likeness = (other: string) => {
    const most = Math.min(name.length, other.length);
    let [front, back] = [0, 0];
    while (front < most && name[front] === other[front]) front++;
    while (back < most - front && name.at(-1 - back) === other.at(-1 - back)) back++;
    return front + back;
  };
  return labels.map(({ candidate }) => candidate.name).sort((a, b) => likeness(b) - likeness(a))[0];
}

/** The name of an option from the name of its column: `ring_size` is `Ring size`. */
export function titleCase(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
