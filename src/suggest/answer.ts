import type { DraftField, LeftOut, MappingDraft } from './draft.ts';

/** A choice that a person can make about a draft. */
export type Question =
  | { readonly kind: 'keep'; readonly field: DraftField }
  | { readonly kind: 'add'; readonly leftOut: LeftOut };

/** Questions about a draft: uncertain fields to keep or not, and columns to use or not. */
export function questionsOf({ fields, leftOut }: MappingDraft): Question[] {
  const isFree = ({ field, rule }: LeftOut) =>
    rule !== undefined && field !== undefined && !fields.some((each) => each.field === field);
  return [
    ...fields.filter(({ doubt }) => doubt !== undefined).map((field): Question => ({ kind: 'keep', field })),
    ...leftOut.filter(isFree).map((each): Question => ({ kind: 'add', leftOut: each })),
  ];
}

/** The draft after a question was answered with yes or no. A question that is answered is not uncertain any more. */
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
