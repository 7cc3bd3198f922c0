import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { JobView, RunAction, RunView, StartJob } from '../../ui/api/index.ts';
import { post } from '../client.ts';
import { openScreen } from '../router.ts';
import { storeName } from '../text.ts';
import { useAction } from '../use-action.ts';
import { AgreeDialog } from './agree.tsx';

/** Carries out the actions of a run. Those that send or change something ask first. */
export function useRunActions(
  view: RunView | undefined,
  reloadStart: () => void,
): { readonly choose: (action: RunAction) => void; readonly dialog: ComponentChildren } {
  const [asked, setAsked] = useState<RunAction>();
  const { run, failure, isBusy } = useAction();
  if (!view) return { choose: () => {}, dialog: null };
  const begin = ({ kind, run: named }: RunAction) =>
    run(async () => {
      const wanted = { kind, run: named, agreed: view.store } as StartJob;
      const job = await post<JobView>('/jobs', wanted);
      reloadStart();
      openScreen('job', job.id);
    });
  const choose = (action: RunAction) => {
    if (action.kind === 'fix') openScreen('run', view.run, 'fix');
    else if (action.kind === 'resolve') openScreen('run', view.run, 'doubts');
    else setAsked(action);
  };
  const dialog = asked ? (
    <AgreeDialog
      address={view.store}
      title={`${asked.title} this run`}
      onAgree={() => begin(asked)}
      onClose={() => setAsked(undefined)}
      isBusy={isBusy}
      failure={failure}
    >
      <p>{asked.effect}</p>
      <p>
        Run {asked.run}, in {storeName(view.store)}.
      </p>
    </AgreeDialog>
  ) : null;
  return { choose, dialog };
}

/** A button's words: the action with its number, as far as the run says it. */
export function actionWords({ kind, title }: RunAction, { returned, inDoubt }: RunView): string {
  const numbered = (count: number, one: string, many: string) =>
    `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
  if (kind === 'fix') return `Correct ${numbered(returned, 'row', 'rows')}`;
  if (kind === 'resolve') return `Settle ${numbered(inDoubt, 'record', 'records')} in doubt`;
  return title;
}
