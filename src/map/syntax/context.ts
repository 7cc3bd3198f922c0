import type { Resource } from '../../resources/index.ts';
import type { Watched } from '../mapping.ts';
import { referred } from '../references.ts';
import type { LookupTable } from '../steps/index.ts';
import type { MappingDocument, Path } from './document.ts';

/** Where a value is being read: for messages. */
export interface RulePlace {
  readonly document: MappingDocument;
  /** The field, or the column of an export, as the mapping writes it. */
  readonly target: string;
  /** What sources and conditions name: columns of a file that is read, fields of an item that is written. */
  readonly names: 'column' | 'field';
  /** Whether a name in braces means something here; without it, braces mean nothing. */
  readonly refers?: ((inner: string) => boolean) | undefined;
  /** The parts that lists around it are at. */
  readonly parts?: readonly string[];
  /** Where lookups that are met are noted. */
  readonly lookups?: LookupTable[];
  /** Where rules are noted whose use is counted; left out, none is. */
  readonly watched?: Watched[];
  /** The value or list that is read is one of several for its field. */
  readonly alternatives?: Alternatives | undefined;
}

/** The same for a rule of an import. */
export interface RuleContext extends RulePlace {
  readonly resource: Resource;
  /** Inside a list over rows: a column is the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
  /** Inside any list: what is blank there, no update can clear by itself. */
  readonly inList: boolean;
  readonly refers: (inner: string) => boolean;
}

/** `{foo.{a}}`: it would be filled like the name of a column, and then be none. */
const NESTED = /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}$/;

/** A name in braces must mean something; without it, it would be a column that no file has. */
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

/** Conditions of alternatives for one field share a number: one of them is enough. */
export interface Alternatives {
  watch?: number;
}
