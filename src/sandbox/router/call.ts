import type { Contract } from '../contract.ts';
import type { List } from '../lists/lists.ts';
import type { Misbehaviour } from '../misbehave/misbehaviour.ts';
import type { Reply } from '../reply.ts';
import type { SeededListName } from '../seed/index.ts';
import type { Collection } from '../storage/collections.ts';
import type { CreatedCollection } from '../storage/ids.ts';
import type { Tokens } from '../tokens.ts';

/** State and settings of one sandbox, for the handlers. */
export interface Store {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly storeId: string;
  readonly now: () => number;
  readonly contract: Contract;
  readonly tokens: Tokens;
  readonly collections: Readonly<Record<CreatedCollection, Collection>>;
  /** Returns how the store misbehaves at the moment. */
  readonly habits: () => Misbehaviour;
  readonly lists: Readonly<Record<ListName, List>>;
}
export type ListName = 'products' | SeededListName;

/** A request that was read to its end. `query` is the text after the question mark. */
export interface ApiCall {
  readonly query: string;
  readonly body: string;
}

/** Answers a request. Synchronous, so that no request sees the partial effects of another. */
export type Handler = (call: ApiCall) => Reply;
