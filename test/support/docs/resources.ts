import {
  exportable,
  type FieldType,
  fieldType,
  importable,
  type ListEndpoint,
  leafPaths,
  nativeColumns,
  RESOURCES,
  typeAt,
} from '../../../src/resources/index.ts';
import { requiredFields } from '../../../src/validate/index.ts';
import { code, table } from './markdown.ts';

export function apiParts(): string {
  const rows = RESOURCES.map(({ name, create, update, list, envelopes }) => [
    code(name),
    create ? code(`${create.method} ${create.path}`) : '–',
    update ? code(`${update.method} ${update.path}?${update.idParam}=…`) : '–',
    list ? [`${code(list.path)} by ${list.pageSize}`, ...filterWords(list)].join('; ') : '–',
    envelopes?.map(code).join(', ') ?? '–',
  ]);
  return table(['resource', 'create', 'update', 'list', 'envelopes'], rows);
}

function filterWords({ id, filters, undocumented }: ListEndpoint): string[] {
  const names = Object.entries(filters).map(([name, sent]) =>
    name === sent ? code(name) : `${code(name)} as ${code(sent)}`,
  );
  return [
    id === undefined ? 'no id' : `id ${code(id)}`,
    ...(names.length > 0 ? [`filters ${names.join(', ')}`] : []),
    ...(undocumented ? ['its answer is not documented'] : []),
  ];
}

export function exportLists(): string {
  const rows = exportable.map((resource) => [
    code(resource.name),
    Object.keys(resource.list?.filters ?? {})
      .map(code)
      .join(', ') || 'none',
    nativeColumns(resource).map(code).join(' '),
  ]);
  return table(['export', 'filters', 'columns of the CSV, in this order'], rows);
}

export function fields(name: string): string {
  const resource = importable.find((each) => each.name === name);
  if (!resource) throw new Error(`there is no resource ${name}`);
  const suppliedLater = resource.fromSettings ?? [];
  const required = requiredFields(resource, { partial: false, suppliedLater });
  const root = fieldType(resource.schema);
  const rows = leafPaths(root).map((path) => [
    code(path),
    typeWords(typeAt(root, path.split('.'))),
    required.includes(path)
      ? 'yes'
      : suppliedLater.some((each) => each === path)
        ? 'filled in by itself'
        : '',
  ]);
  return table(['field', 'holds', 'required'], rows);
}

function typeWords(type: FieldType | undefined): string {
  switch (type?.kind) {
    case 'choice':
      return type.values.map(code).join(', ');
    case 'boolean':
      return 'true or false';
    case 'list':
      return type.item.kind === 'object'
        ? `list of ${itemWords(type.item)}`
        : `list of ${typeWords(type.item)}`;
    case 'object':
      return 'object with any fields';
    default:
      return type?.kind ?? '';
  }
}

/** Its lists are written out, since no other place has them. */
function itemWords(item: FieldType): string {
  const words = (path: string) => {
    const type = typeAt(item, path.split('.'));
    return type?.kind === 'list' && type.item.kind === 'object'
      ? `${code(path)} (${typeWords(type)})`
      : code(path);
  };
  return leafPaths(item).map(words).join(', ');
}
