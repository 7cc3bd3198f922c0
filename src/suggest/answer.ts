import type { DraftField, LeftOut, MappingDraft } from './draft.ts';

/** A choice that a person can make about a draft. */
export type Question =
  | { readonly kind: 'keep'; readonly field: DraftField }
  | { readonly kind: 'add'; readonly leftOut: LeftOut };

/** Questions about a draft: uncertain fields to keep or not, and columns to use or not. */
export function questionsOf({ fields, leftOut }: MappingDraft): Question[] {
  return [
    ...fields.filter(({ doubt }) => doubt !== undefined).map((field): Question => ({ kind: 'keep', field })),
    ...leftOut
      .filter(({ field, rule }) => rule !== undefined && field !== undefined)
      .map((each): Question => ({ kind: 'add', leftOut: each })),
  ].filter((question) => isOpen({ fields }, question));
}

/** False if an answer adds the field that the question would add: a field has one rule. */
export function isOpen({ fields }: Pick<MappingDraft, 'fields'>, question: Question): boolean {
  return question.kind === 'keep' || !fields.some(({ field }) => field === question.leftOut.field);
}

/** The draft after a question was answered with yes or no. A field that is confirmed has no doubt any more. */
export function answered(draft: MappingDraft, question: Question, isYes: boolean): MappingDraft {
  if (question.kind === 'keep') {
    const { field } = question;
    if (isYes)
      return {
        ...draft,
        fields: draft.fields.map((each) => (each === field ? { ...each, doubt: undefined } : each)),
      };
    const gone = { column: field.columns.join(', '), field: field.field, why: 'it was declined', sample: '' };
    return {
      ...draft,
      fields: draft.fields.filter((each) => each !== field),
      leftOut: [...draft.leftOut, gone],
    };
  }
  const { leftOut } = question;
  if (!isYes || leftOut.field === undefined) return draft;
  const added: DraftField = { field: leftOut.field, rule: leftOut.rule, columns: [leftOut.column], score: 1 };
  return {
    ...draft,
    fields: [...draft.fields, added],
    leftOut: draft.leftOut.filter((each) => each !== leftOut),
  };
}
