import type { StartView } from '../ui/api/index.ts';

/** A screen gets the start view and the parts of the address. */
export interface ScreenProps {
  readonly start: StartView;
  /** All parts, such as `['work', '3f', 'columns']`. */
  readonly route: readonly string[];
  /** Fetches the start view again, after a change that it shows. */
  readonly reloadStart: () => void;
}
