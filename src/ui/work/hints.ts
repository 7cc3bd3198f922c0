import type { Json } from '../../model/index.ts';
import { type Question, questionText, type SuggestedMapping } from '../../pipeline/suggest/index.ts';
import type { ColumnFacts } from './columns-view.ts';
import type { AskedQuestions, KeptQuestion, SuggestionHints } from './work-state.ts';

/** Plurals of the kinds of columns, for reasons such as `prices; named Precio`. */
const PLURALS: Readonly<Record<string, string>> = {
  price: 'prices',
  number: 'numbers',
  GTIN: 'GTINs',
  URL: 'web addresses',
  mail: 'mail addresses',
  HTML: 'HTML',
  date: 'dates',
  'yes or no': 'yes or no',
  text: 'texts',
};

/**
 * The parts of a suggestion to remember: its certainty of each field, the columns that it left out, and its questions.
 * `answers`: those that it was made with.
 */
export function hintsOf(
  { draft, text, questions }: SuggestedMapping,
  facts: readonly ColumnFacts[],
  answers: AskedQuestions['answers'] = [],
): SuggestionHints {
  const kindOf = new Map(facts.map(({ name, looksLike }) => [name, PLURALS[looksLike] ?? 'empty']));
  const named = (columns: readonly string[]) => columns.join(', ');
  return {
    fields: draft.fields.map(({ field, columns, score, doubt }) => {
      const kinds = [...new Set(columns.flatMap((column) => kindOf.get(column) ?? []))].join(', ');
      const reason = columns.length === 0 ? 'the same for all' : `${kinds}; named ${named(columns)}`;
      return { field, score, reason: doubt === undefined ? reason : `${reason}. ${doubt}` };
    }),
    columns: draft.leftOut.flatMap(({ column, field, why, score = 0 }) =>
      field === undefined ? [] : [{ column, field, score, reason: why }],
    ),
    open: { text, questions: questions.flatMap(keptQuestion), answers },
  };
}

/** Doubts about single fields are shown beside them. */
function keptQuestion(question: Question): KeptQuestion[] {
  const text = questionText(question);
  if (question.kind === 'keep' || question.kind === 'add') return [];
  if (question.kind !== 'empty') return [{ id: question.id, text }];
  const { field } = question.field;
  return [{ id: `empty ${field}`, text, set: { field, rule: question.words.rule as Json } }];
}
