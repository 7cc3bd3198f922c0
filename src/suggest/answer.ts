import type { DraftField, LeftOut, MappingDraft, WordCells } from './draft.ts';
import type { StructureQuestion } from './questions.ts';
import type { SampledFile } from './suggest.ts';

/** A cell of the sample, with the number of its row in the file. */
export interface SeenCell {
  readonly row: number;
  readonly cell: string;
}

/** A choice about a field. `seen`: some cells of its column. */
export type FieldQuestion =
  | { readonly kind: 'empty'; readonly field: DraftField; readonly words: WordCells }
  | { readonly kind: 'keep'; readonly field: DraftField; readonly seen: readonly SeenCell[] }
  | { readonly kind: 'add'; readonly leftOut: LeftOut; readonly seen: readonly SeenCell[] };

/** A choice that a person can make about a draft, with the rows that speak for it or against it. */
export type Question = StructureQuestion | FieldQuestion;

/**
 * Questions about the fields of a draft: words among the cells of a field, uncertain fields to keep or not, and columns to use
 * or not.
 */
export function questionsOf({ fields, leftOut }: MappingDraft, sampled: SampledFile): FieldQuestion[] {
  return [
    ...fields.flatMap((field): FieldQuestion[] => {
      if (field.words) return [{ kind: 'empty', field, words: field.words }];
      return field.doubt === undefined ? [] : [{ kind: 'keep', field, seen: seenIn(field.columns, sampled) }];
    }),
    ...leftOut
      .filter(({ field, rule }) => rule !== undefined && field !== undefined)
      .map((each): FieldQuestion => ({ kind: 'add', leftOut: each, seen: seenIn([each.column], sampled) })),
  ].filter((question) => isOpen({ fields }, question));
}

const MAX_SEEN = 3;

/** The first different cells of the first of these columns that has any. */
function seenIn(names: readonly string[], { columns, numbers }: SampledFile): SeenCell[] {
  for (const { name, cells } of columns) {
    if (!names.includes(name)) continue;
    const seen = new Map<string, number>();
    for (const [index, cell] of cells.entries()) {
      const text = cell.trim();
      if (text !== '' && !seen.has(text)) seen.set(text, numbers?.[index] ?? index + FIRST_ROW);
      if (seen.size === MAX_SEEN) break;
    }
    if (seen.size > 0) return [...seen].map(([cell, row]) => ({ row, cell }));
  }
  return [];
}

/** The row below the header. */
const FIRST_ROW = 2;

/** False if an answer adds the field that the question would add: a field has one rule. */
export function isOpen({ fields }: Pick<MappingDraft, 'fields'>, question: FieldQuestion): boolean {
  return question.kind !== 'add' || !fields.some(({ field }) => field === question.leftOut.field);
}

/** The draft after a question was answered with yes or no. A field that is confirmed has no doubt any more. */
export function answered(draft: MappingDraft, question: FieldQuestion, isYes: boolean): MappingDraft {
  if (question.kind === 'add') return isYes ? withColumn(draft, question.leftOut) : draft;
  const { field } = question;
  const replaced = (by: DraftField) => ({
    ...draft,
    fields: draft.fields.map((each) => (each === field ? by : each)),
  });
  // Records with these words keep their issue.
  if (question.kind === 'empty')
    return isYes
      ? replaced({ ...field, rule: question.words.rule, doubt: undefined, words: undefined })
      : replaced({ ...field, words: undefined });
  if (isYes) return replaced({ ...field, doubt: undefined });
  const gone = { column: field.columns.join(', '), field: field.field, why: 'it was declined', sample: '' };
  return {
    ...draft,
    fields: draft.fields.filter((each) => each !== field),
    leftOut: [...draft.leftOut, gone],
  };
}

function withColumn(draft: MappingDraft, leftOut: LeftOut): MappingDraft {
  const { field, rule, column } = leftOut;
  if (field === undefined) return draft;
  const added: DraftField = { field, rule, columns: [column], score: 1 };
  return {
    ...draft,
    fields: [...draft.fields, added],
    leftOut: draft.leftOut.filter((each) => each !== leftOut),
  };
}
