/** Samples of files and mappings for them. An import does not load it: the words of many languages are large. */

export { type Question, questionText } from '../../suggest/index.ts';
export { readingBy } from '../inputs/source-rules.ts';
export { type CheckedSample, checkSample } from './check-sample.ts';
export {
  type FirstMapping,
  firstMapping,
  presetsFor,
  presetTitle,
  suggestionOrNone,
} from './first-mapping.ts';
export { type FileSample, sampledFileOf, takeSample } from './sample.ts';
export { type AskPerson, requiredIn, runSuggest, type SuggestedMapping, suggestFor } from './suggest.ts';
