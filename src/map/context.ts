import type { Resource } from '../resources/index.ts';
import type { MappingDocument } from './document.ts';
import type { LookupTable } from './steps/index.ts';
import type { Alternatives, Watched } from './watched.ts';

/** Where a value is being read: for messages. */
export interface Place {
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
export interface Context extends Place {
  readonly resource: Resource;
  /** Inside a list over rows: a column is the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
  /** Inside any list: what is blank there, no update can clear by itself. */
  readonly inList: boolean;
  readonly refers: (inner: string) => boolean;
}
