import type { Resource } from '../../resources/index.ts';
import type { Watched } from '../mapping.ts';
import { referred } from '../references.ts';
import type { LookupTable } from '../steps/index.ts';
import type { MappingDocument, Path } from './document.ts';

/** The place of a value that is being parsed, for messages. */
export interface RulePlace {
  readonly document: MappingDocument;
  /** The field, or the column of an export, as the mapping writes it. */
  readonly target: string;
  /** The kind of names in sources and conditions: columns of an input file, or fields of an exported item. */
  readonly names: 'column' | 'field';
  /** True if a reference in braces has a meaning here. If absent, braces are plain text. */
  readonly refers?: ((inner: string) => boolean) | undefined;
  /** Names of the parts of the enclosing lists. */
  readonly parts?: readonly string[];
  /** Collects the tables of lookups. */
  readonly lookups?: LookupTable[];
  /** Collects the rules whose use is counted. If absent, none is counted. */
  readonly watched?: Watched[];
  /** Set if the value or list is one of several alternatives for its field. */
  readonly alternatives?: Alternatives | undefined;
}

/** The place of a rule of an import. */
export interface RuleContext extends RulePlace {
  readonly resource: Resource;
  /** Inside a list over rows: a column is read from the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
  /** Inside any list. An update cannot clear single values there. */
  readonly inList: boolean;
  readonly refers: (inner: string) => boolean;
}

/** `{foo.{a}}`: substitution would fill it like a column name, and no column has the result as its name. */
const NESTED = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}$/;

/** Adds an error for an unknown reference. Otherwise it would be read as a column that no file has. */
export function refuseUnknownReference(
  { document, refers }: Pick<RulePlace, 'document' | 'refers'>,
  name: string,
  path: Path,
): void {
  const inner = referred(name);
  if (refers && NESTED.test(name))
    document.addError(
      path,
      `${name} has braces inside braces, which mean nothing. A part of a list has a fixed key, such as {part.key}; for a key that varies, use an expression.`,
    );
  if (refers && inner !== undefined && !refers(inner))
    document.addError(
      path,
      `{${inner}} means nothing here: braces are for the parts of a list with each, for what stands in the gap of a column's name, {row number} and {file name}.`,
    );
}

/** Conditions of alternatives for one field share a number, since it is enough that one of them applies. */
export interface Alternatives {
  watch?: number;
}

const LONGEST_TEXT = 100;

/** Gives the rule at `path` a number. undefined if nothing is watched: in exports, and for single rows. */
export function watch(
  {
    document,
    target,
    watched,
    alternatives,
  }: Pick<RulePlace, 'document' | 'watched' | 'alternatives'> & {
    readonly target?: string;
  },
  kind: Watched['kind'],
  path: Path,
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
