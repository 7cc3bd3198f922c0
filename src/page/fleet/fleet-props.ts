import type { SessionView } from '../../fleet/serve/api.ts';

/** A screen of the fleet gets the session and the parts of the address. */
export interface FleetScreenProps {
  readonly session: SessionView;
  /** All parts, such as `['task', '20261125-…']`. */
  readonly route: readonly string[];
  /** Called when a request was refused because the session is over. */
  readonly onSignedOut: () => void;
}
