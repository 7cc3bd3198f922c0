import type { MappingEdit, MappingView } from '../../ui/api/index.ts';
import type { RequestFailed } from '../client.ts';

export interface MatchingProps {
  readonly view: MappingView;
  readonly edit: (edit: MappingEdit) => void;
  /** The latest change while it is on its way. */
  readonly pending: MappingEdit | undefined;
  /** Failure of the latest change. */
  readonly failure: RequestFailed | undefined;
}
