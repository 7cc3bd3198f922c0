export { createKeyIndex, type KeyIndex } from './key-index.ts';
export { type Checked, createPlanner, keyOf, kindFor, type Mode, type PlanOptions } from './plan.ts';
