import { ID_COLUMN, recogniseMapping, type SourceRules, writtenReading } from '../../map/index.ts';
import { ConfigError, type Issue, listedNames, type Row } from '../../model/index.ts';
import { idShapeFor } from '../../plan/index.ts';
import type { FormatOptions } from '../../read/index.ts';
import { nameOf } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';
import {
  answered,
  type Dictionary,
  draftMapping,
  isOpen,
  type MappingDraft,
  type Question,
  questionsOf,
  type SampledFile,
  type StructureAnswers,
  type Suggestion,
  skippedText,
  writeYaml,
} from '../../suggest/index.ts';
import { requiredFields } from '../../validate/index.ts';
import { type FileSample, sampledFileOf, takeSample } from './sample.ts';
import { type TriedDraft, tryDraft } from './try-draft.ts';

/** Asks a person about something uncertain in a draft. */
export type AskPerson = (question: Question) => Promise<boolean>;

export interface SuggestOptions {
  readonly file: string;
  /** The resources that are possible: one, or all that can be imported. */
  readonly resources: readonly Resource[];
  readonly read: FormatOptions;
  /** Opens what is read for the file name `-`. */
  readonly stdin?: (() => NodeJS.ReadableStream) | undefined;
  /** Called with each warning about the file itself. */
  readonly onWarning?: ((warning: Issue) => void) | undefined;
  /** Default: uncertain fields are kept with a comment, uncertain columns are left out. */
  readonly ask?: AskPerson | undefined;
  /** Answers that were given before. */
  readonly answers?: StructureAnswers | undefined;
  /** Words of column names. Default: all that are known. */
  readonly dictionary?: Dictionary | undefined;
}

/** A mapping for a file, with what it does on the sample. */
export interface SuggestedMapping extends TriedDraft {
  readonly resource: Resource;
  /** The mapping as the text of a file. */
  readonly text: string;
  /** Fields that the store requires and no column was found for. */
  readonly missing: readonly string[];
  /** Sentences about rows of the sample that are no records, such as `Left out: row 62, since it says "TOTAL".` */
  readonly skipped: readonly string[];
  /** Questions that are open. */
  readonly questions: readonly Question[];
  /** Preset that reads the file already, if there is one. */
  readonly preset?: string | undefined;
  /** Columns of the file. */
  readonly columns: number;
  /** True if the column `_id` has identifiers of another system, which only `--mode create` ignores. */
  readonly hasForeignIds: boolean;
  /** True if the sample is the whole file. */
  readonly isWhole: boolean;
}

/**
 * Suggests a mapping for an unknown file from a sample of it. If several resources are possible, takes the one that fits
 * best. Throws ConfigError if the file cannot be read, or has nothing that could be a field.
 */
export async function runSuggest(options: SuggestOptions): Promise<SuggestedMapping> {
  return suggestFor(await takeSample(options.file, options.read, options), options);
}

/** The same from a sample that was taken before. */
export async function suggestFor(
  sample: FileSample,
  { file, resources, ask, answers, dictionary }: Omit<SuggestOptions, 'read'>,
): Promise<SuggestedMapping> {
  const sampled = sampledFileOf(sample);
  const found = resources.map((resource) => ({
    resource,
    ...draftMapping(resource.name, sampled, dictionary, answers),
  }));
  const best = found.reduce((a, b) => (fitOf(b) > fitOf(a) ? b : a));
  const { resource } = best;
  const { draft, records, questions } = ask
    ? await withStructure(best, ask, (answers) => draftMapping(resource.name, sampled, dictionary, answers))
    : best;
  if (draft.fields.length === 0)
    throw new ConfigError(
      `${nameOf(file)} has no column that could be a field of ${resources.map(({ name }) => name).join(' or ')}.`,
      [
        ...(sample.cures?.() ?? []),
        `Its columns: ${listedNames(sample.table.header)}.`,
        'If none of this helps, write a mapping by hand: docs/mappings.md says how.',
      ],
    );
  const isCut = (rows: readonly number[]) =>
    rows.some((row) => sample.besideGaps.has(sample.rows[row] as Row));
  const whole = draft.group === undefined ? records : records.filter((rows) => !isCut(rows));
  const rows = { table: sample.table, rows: sample.rows, records: whole };
  const tried = tryDraft(draft, resource, rows);
  const final = ask ? tryDraft(await withAnswers(tried.draft, sampled, ask), resource, rows) : tried;
  return {
    ...final,
    resource,
    text: writeYaml(final.draft, file, writtenReading(sourceOf(sample, draft))),
    missing: missingIn(final.draft, resource),
    skipped: [...(draft.skips ?? []).map(skippedText), ...besideText(sampled)],
    questions: [...questions, ...(ask ? [] : questionsOf(final.draft, sampled))],
    preset: presetFor(resource, sample),
    columns: sampled.columns.length,
    hasForeignIds: hasForeignIds(sampled, resource),
    isWhole: sample.isWhole,
  };
}

/** `Left out: Supplier and Country, since an empty column sets them apart, as another table.` */
function besideText({ beside = [] }: SampledFile): string[] {
  const names = beside.map(({ name }) => name);
  return names.length === 0
    ? []
    : [`Left out: ${listedNames(names)}, since an empty column sets them apart, as another table.`];
}

/** How the file is read, up to another table below. */
function sourceOf({ source = {} }: FileSample, { skips = [] }: MappingDraft): SourceRules {
  return skips.some(({ isCut }) => isCut) ? { ...source, untilBlankRow: true } : source;
}

function hasForeignIds({ columns }: SampledFile, resource: Resource): boolean {
  const ids =
    columns.find(({ name }) => name === ID_COLUMN)?.cells.filter((cell) => cell.trim() !== '') ?? [];
  const { holds } = idShapeFor(resource, []);
  return ids.some((id) => !holds(id.trim()));
}

/** Asks about the structure, one question each. Each answer can change the questions that follow. */
async function withStructure(
  first: Suggestion,
  ask: AskPerson,
  draftWith: (answers: StructureAnswers) => Suggestion,
): Promise<Suggestion> {
  const answers = new Map<string, boolean>();
  let suggestion = first;
  for (let [question] = first.questions; question; [question] = suggestion.questions) {
    answers.set(question.id, await ask(question));
    suggestion = draftWith(answers);
  }
  return suggestion;
}

/** Asks about everything uncertain in the fields, one question each. */
async function withAnswers(draft: MappingDraft, sampled: SampledFile, ask: AskPerson): Promise<MappingDraft> {
  let after = draft;
  for (const question of questionsOf(draft, sampled))
    if (isOpen(after, question)) after = answered(after, question, await ask(question));
  return after;
}

/** How well a draft fits: what the store requires, then how much of the file is used. */
function fitOf({ draft, resource }: { readonly draft: MappingDraft; readonly resource: Resource }): number {
  const certain = draft.fields.reduce((total, { score }) => total + score, 0);
  return certain * (missingIn(draft, resource).length === 0 ? 1 : 0.3);
}

/** Required fields that the draft does not fill. */
function missingIn(draft: MappingDraft, resource: Resource): string[] {
  const fields = new Set(draft.fields.map(({ field }) => field.split('.')[0]));
  return requiredIn(resource).filter((field) => !fields.has(field));
}

/** Fields that each new record must have, and that no setting fills in. */
export function requiredIn(resource: Resource): string[] {
  return requiredFields(resource, { partial: false, suppliedLater: resource.fromSettings ?? [] });
}

export function presetFor(resource: Resource, { table }: FileSample): string | undefined {
  try {
    return recogniseMapping(table, resource, { required: requiredIn(resource) }).name;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
