import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RequestFailed } from '../client.ts';
import type { Loaded } from '../use-load.ts';

/**
 * One screen: its question as the heading, and the next step at the end. The heading takes the focus when the screen is
 * opened, so that the keyboard and screen readers begin there.
 */
export function Screen({
  title,
  tab = title,
  about,
  steps,
  next,
  children,
}: {
  readonly title: string;
  /** Title of the browser's tab, if it says more than the heading. */
  readonly tab?: string;
  /** A line below the heading. */
  readonly about?: ComponentChildren;
  /** Above the heading: the steps of a work. */
  readonly steps?: ComponentChildren;
  /** Buttons of the bar below, the main one last. */
  readonly next?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${tab} – storeport`;
  }, [tab]);
  // Before the screen is painted, so that the focus is never taken from a field in which someone has begun to type.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <main class="screen" id="main">
      {steps}
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about === undefined ? null : <p class="quiet">{about}</p>}
      </header>
      {children}
      {next === undefined ? null : (
        <section class="next" aria-label="Next step">
          {next}
        </section>
      )}
    </main>
  );
}

/** Something that is fetched: a line while it loads, the failure with a button to try again, or the content. */
export function WhenLoaded<Value>({
  loaded,
  doing,
  children,
}: {
  readonly loaded: Loaded<Value>;
  /** `Reading the file` */
  readonly doing: string;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, failure, reload } = loaded;
  return (
    <>
      {failure ? <Failure failure={failure} onRetry={reload} /> : null}
      {value === undefined ? failure ? null : <Loading doing={doing} /> : children(value)}
    </>
  );
}

export function Loading({ doing }: { readonly doing: string }) {
  return (
    <p class="waiting" role="status">
      {doing} …
    </p>
  );
}

/** A failure: the event, the reason, the next steps. */
export function Failure({
  failure,
  onRetry,
}: {
  readonly failure: Pick<RequestFailed, 'message' | 'hints'>;
  readonly onRetry?: () => void;
}) {
  return (
    <Notice look="wrong" role="alert">
      <p>{failure.message}</p>
      {failure.hints.length > 0 ? (
        <ul>
          {failure.hints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      ) : null}
      {onRetry ? (
        <p>
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </p>
      ) : null}
    </Notice>
  );
}

export function Notice({
  look,
  role,
  children,
}: {
  readonly look: 'good' | 'attention' | 'wrong';
  readonly role?: 'alert' | 'status';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${look}`} role={role}>
      {children}
    </div>
  );
}

/** A place where nothing is yet: what will be here, and how it comes here. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}
