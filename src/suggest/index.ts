/** Suggests mappings for unknown files: columns are matched with fields by their names, their cells and each other. */

export { answered, isOpen, type Question, questionsOf } from './answer.ts';
export type { DraftField, LeftOut, MappingDraft, WordCells } from './draft.ts';
export { isFew } from './evidence.ts';
export { SURE } from './match/candidate.ts';
export type { Dictionary } from './names/dictionary.ts';
export { columnsOfObjects } from './objects.ts';
export type { Look } from './profile/looks.ts';
export { type CellProfile, profileCells, type SampleColumn } from './profile/profile.ts';
export { questionText } from './question-text.ts';
export type { StructureAnswers } from './questions.ts';
export { columnsBeside } from './structure/beside.ts';
export { skippedText } from './structure/stray-skip.ts';
export { draftMapping, type SampledFile, type Suggestion } from './suggest.ts';
export { writeYaml } from './write-yaml.ts';
