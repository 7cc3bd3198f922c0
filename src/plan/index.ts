export { kindFor, type Mode } from './decide.ts';
export { createKeyIndex, type KeyIndex } from './key-index.ts';
export { type Checked, createPlanner, keyFor, keyOf, type Planner, type PlanOptions } from './plan.ts';
