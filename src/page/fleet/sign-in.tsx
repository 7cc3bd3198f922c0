import { useState } from 'preact/hooks';
import type { SessionView, SignIn } from '../../fleet/serve/api.ts';
import { post } from '../client.ts';
import { Failure, Screen } from '../parts/frame.tsx';
import { useAction } from '../use-action.ts';

/** Asks for a token. It is sent once and not kept by the page. */
export function SignInScreen({
  session,
  onSignedIn,
}: {
  readonly session: SessionView;
  readonly onSignedIn: (session: SessionView) => void;
}) {
  const [token, setToken] = useState('');
  const { run, isBusy, failure } = useAction();
  if (!session.takesTokens)
    return (
      <Screen title="Open the address that was printed">
        <p>
          This server has no tokens, so only the address that <code>storeport fleet serve</code> printed signs
          in. It holds the key to this page.
        </p>
      </Screen>
    );
  const onSubmit = (event: Event) => {
    event.preventDefault();
    run(async () =>
      onSignedIn(await post<SessionView>('/session', { token: token.trim() } satisfies SignIn)),
    );
  };
  return (
    <Screen
      title="Sign in to the fleet"
      about="With the token of a viewer you look; with that of an operator you also act."
    >
      <form class="sign-in" onSubmit={onSubmit}>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="current-password"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={isBusy || token.trim() === ''}>
          Sign in
        </button>
      </form>
      {failure ? <Failure failure={failure} /> : null}
    </Screen>
  );
}
