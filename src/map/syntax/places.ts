import type { FieldType, Resource } from '../../resources/index.ts';
import type { WatchedRule } from '../mapping.ts';
import { referred } from '../references.ts';
import type { LookupTable } from '../steps/index.ts';
import type { DocumentPlace } from './document.ts';

/** Tests the text in braces; true if it is a reference that has a meaning at this place. */
export type KnowsReference = (inner: string) => boolean;

/** The place of a condition. One about single rows has no target, and so its use is not counted. */
export interface ConditionPlace extends DocumentPlace {
  /** The kind of names in sources and conditions: columns of an input file, or fields of an exported item. */
  readonly noun: 'column' | 'field';
  /** If absent, braces are plain text. */
  readonly knowsReference?: KnowsReference | undefined;
  /** The field, or the column of an export, as the mapping writes it. */
  readonly target?: string;
  /** Collects the rules whose use is counted. If absent, none is counted. */
  readonly watched?: WatchedRule[] | undefined;
  /** Set if the value or list is one of several alternatives for its field. */
  readonly alternatives?: Alternatives | undefined;
}

/** The place of a value that has a source and steps. */
export interface RulePlace extends ConditionPlace {
  readonly target: string;
  /** Names of the parts of the enclosing lists. */
  readonly parts?: readonly string[];
  /** Collects the tables of lookups. */
  readonly lookups?: LookupTable[];
}

/** The place of the fields of an import, or of one list in it. */
export interface FieldsPlace extends DocumentPlace {
  readonly resource: Resource;
  /** Inside a list over rows: a column is read from the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
  /** Inside any list. An update cannot clear single values there. */
  readonly inList: boolean;
  readonly knowsReference: KnowsReference;
  readonly parts?: readonly string[];
  readonly lookups: LookupTable[];
  readonly watched: WatchedRule[];
}

/** The place of a rule of an import. */
export interface ImportRulePlace extends RulePlace, FieldsPlace {
  readonly knowsReference: KnowsReference;
  readonly lookups: LookupTable[];
  readonly watched: WatchedRule[];
  /** Type of the value that the rule must make. */
  readonly type: FieldType;
  /** The target may have fields, which the mapping could have in place of a rule. */
  readonly mayHaveFields?: boolean;
}

/** `{foo.{a}}`: substitution would fill it like a column name, and no column has the result as its name. */
const NESTED = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}$/;

/** Adds an error for an unknown reference. Otherwise it would be read as a column that no file has. */
export function refuseUnknownReference(
  { document, knowsReference, path }: ConditionPlace,
  name: string,
): void {
  const inner = referred(name);
  if (knowsReference && NESTED.test(name))
    document.addError(
      path,
      `${name} has braces inside braces, which mean nothing. A part of a list has a fixed key, such as {part.key}; for a key that varies, use an expression.`,
    );
  if (knowsReference && inner !== undefined && !knowsReference(inner))
    document.addError(
      path,
      `{${inner}} means nothing here: braces are for the parts of a list with each, for the text in the gap of a column's name, {row number} and {file name}.`,
    );
}

/** Conditions of alternatives for one field share a number, since it is enough that one of them applies. */
export interface Alternatives {
  watch?: number;
}

const LONGEST_TEXT = 100;

/** Gives the rule at this place a number. undefined if nothing is watched: in exports, and for single rows. */
export function watch(
  { document, path, target, watched, alternatives }: ConditionPlace,
  kind: WatchedRule['kind'],
): number | undefined {
  if (!watched || target === undefined) return undefined;
  const shared = kind === 'condition' ? alternatives : undefined;
  if (shared?.watch !== undefined) return shared.watch;
  const { line, text } = document.textAt(path);
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  const number = watched.push({ field: target, kind, text: short, line }) - 1;
  if (shared) shared.watch = number;
  return number;
}
