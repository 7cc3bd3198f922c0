/** Cells that look as if something had damaged them on their way here: a spreadsheet, or a wrong encoding. */

export { garbledNames, inspector, type Suspect } from './inspect.ts';
export { repeatedSkus, skuField } from './repeated.ts';
export { createSuspicions, type Suspicions } from './suspicions.ts';
