import type { FieldType, Resource } from '../../resources/index.ts';
import type { KinshipRule, Mapping, MappingCondition, Rule } from '../mapping.ts';
import { parseCondition } from './conditions.ts';
import { asObject, type MappingDocument, type Path } from './document.ts';
import { refuseUnknownKeys } from './parse-parts.ts';
import { parseRule, type Surroundings } from './parse-rule.ts';

/** Context of rules, without resource and target. */
type Around = Omit<Surroundings, 'resource'>;

type Grouped = Pick<Mapping, 'groupBy' | 'emptyContinues' | 'gathers' | 'lead' | 'kinship'>;

const BY = 'by takes the name of a column: rows with the same text there are one record.';
const KINDS =
  'group takes { by: Column } (rows with the same text there are one record), or { name, parent } (rows that name each other).';
/** Keys of `group`. */
export const GROUP_KEYS = ['by', 'empty', 'order', 'lead', 'name', 'parent', 'parts', 'shared'];

const TEXT: FieldType = { kind: 'text' };
const TEXTS: FieldType = { kind: 'list', item: TEXT };

/** Parses how rows become records: `{ by, empty, order, lead }` by a shared key, `{ name, parent, parts }` by links. */
export function parseGroup(around: Around, value: unknown, resource: Resource | undefined): Grouped {
  const { document } = around;
  if (value === undefined) return {};
  const group = asObject(document, value, ['group'], KINDS);
  if (group !== value) return {};
  refuseUnknownKeys(document, group, ['group'], GROUP_KEYS);
  if ((group.by === undefined) === (group.name === undefined)) document.addError(['group'], KINDS);
  return group.name === undefined ? parseShared(document, group) : parseKinship(around, group, resource);
}

function parseShared(document: MappingDocument, group: Record<string, unknown>): Grouped {
  const { by, empty, order, lead } = group;
  for (const key of ['parent', 'parts', 'shared'])
    if (group[key] !== undefined)
      document.addError(['group', key], `${key} needs name, by which rows are known, in place of by.`);
  if (by !== undefined && typeof by !== 'string') document.addError(['group', 'by'], BY);
  if (order !== undefined && order !== 'any')
    document.addError(['group', 'order'], 'order takes any: the rows of a record may stand anywhere.');
  if (empty !== undefined && empty !== 'continues')
    document.addError(
      ['group', 'empty'],
      'empty takes continues: a row with nothing in that column belongs to the record above it.',
    );
  if (empty !== undefined)
    for (const key of ['order', 'lead'])
      if (group[key] !== undefined)
        document.addError(
          ['group', key],
          `${key} does not go with empty: what continues a record stands below the row that leads it.`,
        );
  return {
    groupBy: String(by),
    ...(empty === 'continues' ? { emptyContinues: true } : {}),
    ...(order === 'any' ? { gathers: true } : {}),
    ...(lead === undefined ? {} : { lead: parseRowCondition(document, lead, ['group', 'lead']) }),
  };
}

function parseKinship(
  around: Around,
  group: Record<string, unknown>,
  resource: Resource | undefined,
): Grouped {
  const { document } = around;
  for (const key of ['empty', 'order', 'lead'])
    if (group[key] !== undefined)
      document.addError(
        ['group', key],
        `${key} goes with by. Rows that name each other may stand anywhere, and the parent leads.`,
      );
  if (group.parent === undefined && group.parts === undefined)
    document.addError(['group'], 'name needs parent (what a row is part of) or parts (what is part of it).');
  const { shared } = group;
  if (shared !== undefined && typeof shared !== 'boolean')
    document.addError(
      ['group', 'shared'],
      'shared takes true or false: whether a row may be part of several.',
    );
  if (shared === true && group.parts === undefined)
    document.addError(['group', 'shared'], 'shared goes with parts: several rows may name the same part.');
  // Its rules are checked against the resource, so they need one.
  if (!resource) return { gathers: true };
  const rule = (value: unknown, path: Path, type: FieldType): Rule | undefined => {
    const context = { ...around, target: path.join('.'), names: 'column' as const, inRows: true };
    return parseRule({ ...context, resource }, value, path, type);
  };
  const names = [group.name].flat().map((name, index) => rule(name, ['group', 'name', index], TEXT));
  const parent = group.parent === undefined ? undefined : rule(group.parent, ['group', 'parent'], TEXT);
  const parts = group.parts === undefined ? undefined : rule(group.parts, ['group', 'parts'], TEXTS);
  const kinship: KinshipRule = {
    names: names.filter((each) => each !== undefined),
    ...(parent ? { parent } : {}),
    ...(parts ? { parts } : {}),
    ...(shared === true ? { shared } : {}),
  };
  return { gathers: true, kinship };
}

/** `skip: { when: … }` */
export function parseSkip(document: MappingDocument, value: unknown): Pick<Mapping, 'skip'> {
  if (value === undefined) return {};
  const expected = 'skip takes { when: … }: rows for which that holds are left out, and counted.';
  const skip = asObject(document, value, ['skip'], expected);
  if (skip !== value) return {};
  refuseUnknownKeys(document, skip, ['skip'], ['when']);
  if (skip.when === undefined) document.addError(['skip'], expected);
  else return { skip: parseRowCondition(document, skip.when, ['skip', 'when']) };
  return {};
}

function parseRowCondition(document: MappingDocument, value: unknown, path: Path): MappingCondition {
  return parseCondition({ document, names: 'column' }, value, path, true);
}
