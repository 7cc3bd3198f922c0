import type { Resource } from '../resources/index.ts';
import type { MappingDocument } from './document.ts';

/** Where a rule is being read: for messages. */
export interface Context {
  readonly document: MappingDocument;
  readonly resource: Resource;
  /** The field as the mapping writes it. */
  readonly target: string;
  /** Inside a list over rows: a column is the item's own row unless `across` says otherwise. */
  readonly inRows: boolean;
}
