import first from './000001.ts';
import second from './000002.ts';
import third from './000003.ts';
import fourth from './000004.ts';
import fifth from './000005.ts';
import sixth from './000006.ts';
import seventh from './000007.ts';
import eighth from './000008.ts';
import ninth from './000009.ts';

/**
 * A step of the schema. Workers of several versions share one database, so a step only adds what earlier versions can ignore
 * (expand). A later one removes what no version uses any more (contract), and then raises `minVersion`.
 */
export interface SchemaStep {
  readonly script: string;
  /** The lowest schema version that a worker must know to go on after this step. A version is the number of its last step. */
  readonly minVersion: number;
}

/** In order, append-only. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  { script: first, minVersion: 1 },
  { script: second, minVersion: 2 },
  { script: third, minVersion: 2 },
  { script: fourth, minVersion: 2 },
  { script: fifth, minVersion: 2 },
  { script: sixth, minVersion: 6 },
  { script: seventh, minVersion: 6 },
  { script: eighth, minVersion: 6 },
  // Earlier workers cannot read rows that are encrypted.
  { script: ninth, minVersion: 9 },
];
