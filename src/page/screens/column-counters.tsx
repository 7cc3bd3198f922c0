import type { MappingView } from '../../ui/api/index.ts';
import { Mark } from '../parts/mark.tsx';
import { counted, plural } from '../text.ts';
import type { MatchingProps } from './match-props.ts';

/** Missing fields that are named. */
const MOST_NAMED = 3;

interface CountersProps extends Pick<MatchingProps, 'view' | 'edit'> {
  readonly isBusy: boolean;
  readonly isText: boolean;
  readonly onText: (isText: boolean) => void;
  readonly onField: (field: string) => void;
  /** Called to show only the columns that go nowhere. */
  readonly onUnused: () => void;
}

/** What is missing, what is left out, and what fits. It stays in sight. */
export function Counters({ view, edit, isBusy, isText, onText, onField, onUnused }: CountersProps) {
  const { missing, unused } = view;
  return (
    <div class="counters">
      <span>
        <Mark look={missing.length > 0 ? 'wrong' : 'good'} />
        {missing.length === 0 ? (
          'All required fields are set'
        ) : (
          <>
            {plural(missing.length, 'required field')} without a column:
            {missing.slice(0, MOST_NAMED).map((path) => (
              <button key={path} type="button" class="plain" onClick={() => onField(path)}>
                {path}
              </button>
            ))}
            {missing.length > MOST_NAMED ? `and ${counted(missing.length - MOST_NAMED)} more` : ''}
          </>
        )}
      </span>
      <span>
        <Mark look={unused.length > 0 ? 'attention' : 'good'} />
        {plural(unused.length, 'column')} with data {unused.length === 1 ? 'goes' : 'go'} nowhere
        {unused.length > 0 && !isText ? (
          <button type="button" class="plain" onClick={onUnused}>
            Show
          </button>
        ) : null}
      </span>
      <span>
        <Mark look={lookOfSample(view)} />
        {sampleText(view)}
      </span>
      <span class="spoken" role="status">
        {isBusy ? '' : `${counted(missing.length)} required missing, ${sampleText(view)}`}
      </span>
      <span class="small quiet grow">{isBusy ? 'Trying it …' : ''}</span>
      <span class="tools">
        <button
          type="button"
          aria-disabled={!view.canUndo}
          title="Ctrl-Z"
          onClick={() => view.canUndo && edit({ op: 'undo' })}
        >
          Undo
        </button>
        <button
          type="button"
          aria-disabled={!view.canRedo}
          title="Ctrl-Shift-Z"
          onClick={() => view.canRedo && edit({ op: 'redo' })}
        >
          Redo
        </button>
        <button type="button" aria-pressed={isText} onClick={() => onText(!isText)}>
          As text
        </button>
      </span>
    </div>
  );
}

function lookOfSample({ sample: { records, valid } }: MappingView) {
  if (records === 0) return 'even';
  return valid < records ? 'attention' : 'good';
}

function sampleText({ sample: { records, valid } }: MappingView): string {
  return records === 0
    ? 'The sample has no record yet'
    : `${counted(valid)} of ${plural(records, 'record')} of the sample fit`;
}
