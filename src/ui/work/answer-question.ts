import { editMapping } from '../../map/index.ts';
import { ConfigError } from '../../model/index.ts';
import { suggestFor } from '../../pipeline/suggest/index.ts';
import type { Resource } from '../../resources/index.ts';
import { hintsOf } from './hints.ts';
import type { WorkSample } from './samples.ts';
import { openQuestions, textOf, type WorkState, withText } from './work-state.ts';

/**
 * Answers an open question of a suggestion. A yes or a no about rows or numbers makes another suggestion, which can be undone; a
 * yes about words sets a rule. Throws ConfigError if the question is not open any more.
 */
export async function answerQuestion(
  state: WorkState,
  { id, isYes }: { readonly id: string; readonly isYes: boolean },
  { sampled, resource }: { readonly sampled: WorkSample; readonly resource: Resource },
): Promise<WorkState> {
  const question = openQuestions(state).find((each) => each.id === id);
  const { open } = state.hints;
  const text = textOf(state);
  if (!question || !open || text === undefined)
    throw new ConfigError('This question is not open any more.', ['Reload the page.']);
  if (question.set) {
    const { field, rule } = question.set;
    const changed = isYes ? editMapping(text, { set: field, rule }) : text;
    const questions = open.questions.filter((each) => each !== question);
    return {
      ...withText(state, changed),
      hints: { ...state.hints, open: { ...open, text: changed, questions } },
    };
  }
  const answers = [...open.answers, [id, isYes] as const];
  const suggested = await suggestFor(sampled.sample, {
    file: sampled.sample.table.file,
    resources: [resource],
    answers: new Map(answers),
  });
  return {
    ...withText(state, suggested.text),
    hints: hintsOf(suggested, sampled.facts(), answers),
    hasForeignIds: suggested.hasForeignIds,
  };
}
