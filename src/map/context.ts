import type { Resource } from '../resources/index.ts';
import type { MappingDocument } from './document.ts';

/** Where a value is being read: for messages. */
export interface Place {
  readonly document: MappingDocument;
  /** The field, or the column of an export, as the mapping writes it. */
  readonly target: string;
  /** What sources and conditions name: columns of a file that is read, fields of an item that is written. */
  readonly names: 'column' | 'field';
}

/** The same for a rule of an import. */
export interface Context extends Place {
  readonly resource: Resource;
  /** Inside a list over rows: a column is the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
}
