import { didYouMean, editMapping, ruleOf, rulesIn } from '../../map/index.ts';
import { ConfigError } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { type FieldType, fieldType, leafPaths, typeAt } from '../../resources/index.ts';
import type { MappingEdit } from '../api/index.ts';
import { textOf, type WorkState, withText } from './work-state.ts';

export interface EditParts {
  readonly resource: Resource;
  /** Columns of the file. */
  readonly columns: readonly string[];
}

/** Changes the mapping of a work. Throws ConfigError for fields and columns that do not exist. */
export function edited(
  state: WorkState,
  edit: Exclude<MappingEdit, { op: 'answer' }>,
  parts: EditParts,
): WorkState {
  if (edit.op === 'undo') return { ...state, at: Math.max(0, state.at - 1) };
  if (edit.op === 'redo') return { ...state, at: Math.min(state.texts.length - 1, state.at + 1) };
  if (edit.op === 'text') return withText(state, edit.text);
  const text = textOf(state);
  if (text === undefined)
    throw new ConfigError('There is no mapping to change yet.', ['Choose a resource, or a mapping.']);
  if (edit.op === 'group') {
    for (const column of edit.by) refuseUnknownColumn(column, parts);
    return withText(state, editMapping(text, { groupBy: edit.by }));
  }
  const { field } = edit;
  if (edit.op === 'remove') return withText(state, editMapping(text, { remove: field }));
  refuseUnknownField(field, parts);
  if (edit.op === 'rule') return withText(state, editMapping(text, { set: field, yaml: edit.text }));
  if (edit.op === 'constant')
    return withText(state, editMapping(text, { set: field, rule: { const: edit.value } }));
  const { columns } = edit.rule;
  if (columns.length === 0) throw new ConfigError('Name at least one column.');
  // Columns that were there before may be those of other files of this platform.
  const before = JSON.stringify(rulesIn(text)(field) ?? '');
  for (const column of columns)
    if (!before.includes(JSON.stringify(column))) refuseUnknownColumn(column, parts);
  const type = typeAt(fieldType(parts.resource.schema), field.split('.'));
  return withText(state, editMapping(text, { set: field, rule: ruleOf(readAs(edit.rule, type)) }));
}

type Form = Extract<MappingEdit, { op: 'set' }>['rule'];

/** A number field needs a rule that reads numbers. */
function readAs(rule: Form, type: FieldType | undefined): Form {
  return type?.kind === 'number' && rule.number === undefined ? { ...rule, number: 'plain' } : rule;
}

function refuseUnknownField(field: string, { resource }: EditParts): void {
  const type = fieldType(resource.schema);
  if (typeAt(type, field.split('.'))) return;
  throw new ConfigError(`${resource.singular} has no field "${field}".${didYouMean(field, leafPaths(type))}`);
}

function refuseUnknownColumn(column: string, { columns }: EditParts): void {
  if (columns.includes(column)) return;
  throw new ConfigError(`The file has no column "${column}".${didYouMean(column, columns)}`);
}
