import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlJob, JobView } from '../../ui/api/index.ts';
import { storeOfJob } from './job-state.tsx';

/** A question of a job, such as after the canary, or for a secret that the settings do not have. */
export function JobQuestion({
  job,
  control,
}: {
  readonly job: JobView;
  readonly control: (wanted: ControlJob) => void;
}) {
  const [secret, setSecret] = useState('');
  const store = storeOfJob(job);
  const box = useRef<HTMLFormElement>(null);
  const { text = '', lines = [], isSecret } = job.question ?? {};
  // The keyboard comes to the question, and not to one of its buttons: Enter must not send by accident.
  useEffect(() => (isSecret ? box.current?.querySelector('input') : box.current)?.focus(), []);
  return (
    <form
      ref={box}
      class="question"
      tabIndex={-1}
      aria-labelledby="question"
      onSubmit={(event) => {
        event.preventDefault();
        control(isSecret ? { action: 'yes', secret } : { action: 'yes' });
      }}
    >
      <h2 id="question">{text}</h2>
      {lines.length > 0 ? (
        <ul>
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {isSecret ? (
        <label class="field">
          <span>It is kept in memory until storeport ui ends, and written nowhere.</span>
          <input
            type="password"
            autocomplete="off"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
      ) : null}
      <div class="row">
        <button type="button" onClick={() => control(isSecret ? { action: 'stop' } : { action: 'no' })}>
          {isSecret ? 'Cancel' : 'No, do not continue'}
        </button>
        <button type="submit" class="main" disabled={isSecret === true && secret === ''}>
          {isSecret ? 'Use this secret' : `Yes, continue${store === undefined ? '' : ` in ${store}`}`}
        </button>
      </div>
    </form>
  );
}
