import { columnsByField, type Mapping, NATIVE, ruleKind, rulesIn, ruleText } from '../../map/index.ts';
import { ConfigError, type Json, type JsonObject } from '../../model/index.ts';
import type { SourceOptions } from '../../pipeline/index.ts';
import { type CheckedSample, checkSample } from '../../pipeline/suggest/index.ts';
import { type FieldType, fieldType, nativeColumns, type Resource, typeAt } from '../../resources/index.ts';
import type { FieldView, MappingView, RuleView } from '../api/index.ts';
import { type ColumnFacts, columnViews } from './columns-view.ts';
import { confidenceOf } from './confidence.ts';
import { cut } from './cut.ts';
import type { WorkSample } from './samples.ts';
import { isChanged, openQuestions, textOf, versionOf, type WorkState } from './work-state.ts';

/** The mapping in force as commands take it. Without a name, it is that of the store's own names. */
export type MappingInForce = Pick<SourceOptions, 'mapping' | 'mappingText'>;

export interface MappingViewParts {
  readonly state: WorkState;
  readonly resource: Resource;
  readonly sampled: WorkSample;
  readonly mapping: MappingInForce;
  /** Fields that each new record must have. */
  readonly required: readonly string[];
  readonly shownPath: (path: string) => string;
}

const SAMPLES = 3;
const LONGEST_SAMPLE = 200;

/** The mapping beside the columns of its file, as tried on the sample. */
export async function mappingView(parts: MappingViewParts): Promise<MappingView> {
  const { state, resource, sampled, required, shownPath } = parts;
  const text = textOf(state) ?? '';
  const { checked, faults } = await tried(parts);
  const facts = sampled.facts();
  const used = usedColumns(checked, sampled, facts);
  const origin = state.origin ?? { kind: 'suggestion' as const, name: '', title: '' };
  const missing = checked ? required.filter((field) => !isSet(checked.mapping, field)) : required;
  const filled = new Set(facts.filter((fact) => fact.filled > 0).map(({ name }) => name));
  const valid = checked?.records.filter(({ issues }) => issues.length === 0).length ?? 0;
  return {
    ...{ text, resource: resource.name, faults, missing },
    origin: { ...origin, isChanged: isChanged(state) },
    version: versionOf(state),
    canUndo: state.at > 0,
    canRedo: state.at < state.texts.length - 1,
    fields: fieldViews(parts, checked, used),
    columns: columnViews(facts, (column) => used.byColumn.get(column) ?? [], state.hints),
    unused: checked ? checked.binding.unused.filter((name) => filled.has(name)) : [...filled],
    groupBy: checked?.mapping.groupBy ?? [],
    questions: openQuestions(state).map(({ id, text: asked }) => ({ id, text: asked })),
    sample: { records: checked?.records.length ?? 0, valid },
    savedAs: state.saved && shownPath(state.saved.path),
    isUnsaved:
      text !== '' && state.saved?.text !== text && (state.origin?.kind !== 'preset' || isChanged(state)),
  };
}

/** The sample checked by the mapping, or the faults that keep it from being used. */
async function tried({
  state,
  resource,
  sampled,
  mapping,
}: MappingViewParts): Promise<{ readonly checked?: CheckedSample; readonly faults: readonly string[] }> {
  try {
    const checked = await checkSample(sampled.sample, {
      ...{ ...mapping, resource, files: [state.path], read: state.choice, constants: {} },
      mode: state.hasForeignIds ? 'create' : 'upsert',
    });
    return { checked, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { faults: error.hints.length > 0 ? error.hints : [error.message] };
  }
}

interface UsedColumns {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly byColumn: ReadonlyMap<string, readonly string[]>;
}

function usedColumns(
  checked: CheckedSample | undefined,
  { sample }: WorkSample,
  facts: readonly ColumnFacts[],
): UsedColumns {
  const byColumn = new Map<string, string[]>();
  if (!checked) return { byField: new Map(), byColumn };
  const names = facts.map(({ name }) => name);
  const byField = columnsByField(checked.mapping, sample.table, names);
  for (const [field, columns] of byField)
    for (const name of columns) {
      const fields = byColumn.get(name);
      if (fields) fields.push(field);
      else byColumn.set(name, [field]);
    }
  return { byField, byColumn };
}

function isSet({ fields, isNativeJson }: Mapping, field: string): boolean {
  return isNativeJson === true || fields.some(({ path }) => path[0] === field);
}

function fieldViews(
  { state, resource, required }: MappingViewParts,
  checked: CheckedSample | undefined,
  used: UsedColumns,
): FieldView[] {
  const type = fieldType(resource.schema);
  const paths = [...new Set([...nativeColumns(resource), ...used.byField.keys()])].filter(
    (path) => path !== resource.list?.id,
  );
  const text = textOf(state);
  const ruleAt = text === undefined || state.origin?.name === NATIVE ? () => undefined : rulesIn(text);
  const views = paths.map((path): FieldView => {
    const hint = state.hints.fields.find(({ field }) => field === path);
    const columns = used.byField.get(path);
    const rule = columns === undefined ? null : ruleView(ruleAt(path), columns);
    const isHinted = hint !== undefined && rule !== null;
    return {
      ...{ path, isRequired: required.includes(path), rule },
      ...typeView(typeAt(type, path.split('.'))),
      group: path.includes('.') ? (path.split('.', 1)[0] ?? '') : '',
      samples: samplesOf(path, checked),
      issues: issuesOf(path, checked),
      ...(isHinted ? { confidence: confidenceOf(hint.score), reason: hint.reason } : {}),
    };
  });
  const order = ({ isRequired, group }: FieldView) => (isRequired ? 0 : group === '' ? 1 : 2);
  return views.sort((a, b) => order(a) - order(b));
}

function ruleView(rule: unknown, columns: readonly string[]): RuleView {
  const kind = ruleKind(rule);
  const text = rule === undefined ? '' : ruleText(rule);
  if (kind.kind === 'simple') return { columns, kind: 'simple', text, simple: kind.form };
  if (kind.kind === 'constant') return { columns, kind: 'constant', text, constant: kind.value };
  return { columns, kind: 'other', text };
}

function typeView(type: FieldType | undefined): Pick<FieldView, 'type' | 'values'> {
  if (type === undefined) return { type: 'anything' };
  if (type.kind === 'choice') return { type: 'choice', values: type.values };
  return { type: type.kind === 'boolean' ? 'yes or no' : type.kind };
}

function samplesOf(path: string, checked: CheckedSample | undefined): string[] {
  const found = new Set<string>();
  for (const { payload } of checked?.records ?? []) {
    const value = valueAt(payload, path.split('.'));
    if (value === undefined || value === null) continue;
    found.add(cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_SAMPLE));
    if (found.size === SAMPLES) break;
  }
  return [...found];
}

function valueAt(value: Json | undefined, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined || value === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return valueAt((value as JsonObject)[step], rest);
}

function issuesOf(path: string, checked: CheckedSample | undefined): FieldView['issues'] {
  const found = (checked?.records ?? []).flatMap(({ issues }) =>
    issues.filter(({ field }) => field === path || field?.startsWith(`${path}.`)).slice(0, 1),
  );
  const [first] = found;
  return { count: found.length, ...(first ? { example: cut(first.message, LONGEST_SAMPLE) } : {}) };
}
