import type { MatchingProps } from './match-props.ts';

/** Questions about rows and numbers of the file, each with the rows that show why it is asked. */
export function OpenQuestions({
  view: { questions },
  edit,
  isBusy,
}: Pick<MatchingProps, 'view' | 'edit'> & { readonly isBusy: boolean }) {
  if (questions.length === 0) return null;
  return (
    <section class="open-questions" aria-labelledby="open-questions">
      <h2 id="open-questions">{questions.length === 1 ? 'One question' : `${questions.length} questions`}</h2>
      <ul>
        {questions.map(({ id, text }, n) => {
          const answer = (isYes: boolean) => !isBusy && edit({ op: 'answer', id, isYes });
          return (
            <li key={id}>
              <p id={`question-${n}`}>
                <bdi>{text}</bdi>
              </p>
              <button type="button" aria-describedby={`question-${n}`} onClick={() => answer(true)}>
                Yes
              </button>
              <button type="button" aria-describedby={`question-${n}`} onClick={() => answer(false)}>
                No
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
