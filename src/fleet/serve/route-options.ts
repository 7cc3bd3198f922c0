import type { ApiRequest } from '../../http/index.ts';
import type { Sql } from '../../postgres/index.ts';
import type { ArtifactStorage } from '../artifacts/index.ts';
import type { PlacePurpose } from '../artifacts/place/index.ts';
import type { ExecutorOptions } from '../execute/options.ts';
import type { FleetRole } from './api.ts';

export interface FleetRouteOptions {
  /** The role of a request that was admitted. */
  readonly roleOf: (request: ApiRequest) => FleetRole | undefined;
  readonly sql: Sql;
  /** Opens the place of the files of tasks, or throws ConfigError. Called for each use, since a worker may name it later. */
  readonly files: (purpose: PlacePurpose) => Promise<ArtifactStorage>;
  /** Settles doubts, which needs no secrets of stores. */
  readonly executor: Omit<ExecutorOptions, 'sql' | 'storage'>;
  /** Called with a line for each action of an operator. */
  readonly onAction?: ((text: string) => void) | undefined;
  /** Called with a line for each file that could not be sent. */
  readonly onTrouble?: ((text: string) => void) | undefined;
  /** Called with the stack of a bug. */
  readonly onBug: (text: string) => void;
}
