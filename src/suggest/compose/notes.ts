import type { Choice, DraftField, LeftOut } from '../draft.ts';
import { type ColumnCandidate, LIKELY, SURE } from '../match/candidate.ts';
import { usualSigns } from '../profile/currencies.ts';
import type { RuleText } from './rules.ts';

/** Collects the fields of a draft and the columns that are left out. */
export interface Notes {
  readonly fields: DraftField[];
  readonly leftOut: LeftOut[];
  readonly choices: Choice[];
  /** Adds a field. Without a rule, its column is left out for the reason `why`. */
  add(field: string, rule: RuleText | undefined, from: AddedFrom): void;
  /** Names a column that is left out. `risk`: see `LeftOut`. */
  leave(candidate: ColumnCandidate, why: string, field?: string, risk?: string): void;
  /** Asks about something that the first of these cells of a column shows. */
  ask(id: string, candidate: ColumnCandidate, cells: readonly string[], asks: string): void;
}

export interface AddedFrom {
  readonly candidates: readonly ColumnCandidate[];
  readonly score: number;
  readonly doubt?: string | undefined;
  /** Said if its column is left out. */
  readonly why?: string;
}

export function createNotes(): Notes {
  const fields: DraftField[] = [];
  const leftOut: LeftOut[] = [];
  const choices: Choice[] = [];
  const notes: Notes = {
    fields,
    leftOut,
    choices,
    add(field, rule, { candidates, score, doubt, why }) {
      const [first] = candidates;
      if (rule === undefined) {
        if (first) notes.leave(first, why ?? 'its cells can be read in two ways', field);
        return;
      }
      if (score < LIKELY) {
        if (first)
          leftOut.push({
            ...leftOutOf(first, why ?? 'its name does not say it clearly', field),
            rule,
            score,
          });
        return;
      }
      fields.push({
        field,
        rule,
        columns: candidates.map(({ name }) => name),
        score,
        ...(candidates.some(isChosen) ? { isChosen: true } : {}),
        doubt: doubt ?? (score < SURE ? 'the name of the column does not say it clearly' : undefined),
      });
    },
    leave(candidate, why, field, risk) {
      leftOut.push({ ...leftOutOf(candidate, why, field), ...(risk === undefined ? {} : { risk }) });
    },
    ask(id, { name, cells = [] }, shown, asks) {
      const row = cells.findIndex((cell) => shown.includes(cell.trim()));
      if (row >= 0) choices.push({ id, column: name, cell: (cells[row] ?? '').trim(), row, asks });
    },
  };
  return notes;
}

/** True if the cells have several currencies, and a person chose one. */
function isChosen({ profile: { filled, currency } }: ColumnCandidate): boolean {
  return currency !== undefined && usualSigns(filled) === undefined;
}

function leftOutOf({ name, profile }: ColumnCandidate, why: string, field: string | undefined): LeftOut {
  return { column: name, field, why, sample: profile.filled[0] ?? '' };
}
