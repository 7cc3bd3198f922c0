import type * as z from 'zod';
import type { JsonObject } from '../model/index.ts';

/** A list endpoint: `GET path?page=&limit=` answering `{results, paginate}`. */
export interface ListEndpoint {
  readonly path: string;
  /** Another path that the API document shows for the same list. */
  readonly otherPath?: string;
  /** Items asked for per page; the store may grant fewer. */
  readonly pageSize: number;
  /** `--filter name=value` → query parameter, as the API calls it. */
  readonly filters: Readonly<Record<string, string>>;
  /** The field of an item that shows whether it matches, for each name in `filters`. Without one it cannot be checked. */
  readonly filterFields?: Readonly<Record<string, FilterField>>;
  /** Field that identifies an item, by which a list that shifts while it is paged is deduplicated. */
  readonly id?: string;
  /** Field with the moment at which an item came to be: ISO 8601 (API document, type notation of `date`). */
  readonly created?: string;
  /** The API document names the path and shows no answer: whether it is a list, and of what, the store decides. */
  readonly undocumented?: true;
}

export interface FilterField {
  /** Dotted path in the item. */
  readonly path: string;
  readonly type: 'text' | 'integer' | 'boolean';
}

/** A field that a new record must have when another of its fields holds a certain value. */
export interface RequirementCondition {
  /** Top-level fields, both. */
  readonly field: string;
  readonly when: { readonly field: string; readonly is: string | number | boolean };
}

/** Whether records are identified by a mail address, whose capitals make no difference. */
export function isKnownByMail({ key = [], mails = [] }: Pick<Resource, 'key' | 'mails'>): boolean {
  return key.some((field) => mails.includes(field));
}

/**
 * All that the tool knows of one kind of thing in the store. Adding a resource is adding one such description
 * and naming it in `registry.ts`.
 */
export interface Resource {
  /** Plural, as on the command line. */
  readonly name: string;
  readonly singular: string;
  /** Payload of a create, or item of a list, field by field from the API document. */
  readonly schema: z.ZodObject;
  /** Payload of an update, where it takes more than that: null clears. None of its fields is required. */
  readonly updateSchema?: z.ZodObject;
  readonly requiredWhen?: readonly RequirementCondition[];
  /** Payload fields that identify a record across runs; the first that is filled counts. */
  readonly key?: readonly string[];
  /** Dotted paths of mail addresses. */
  readonly mails?: readonly string[];
  /** Dotted paths of numbers that are never below 0. */
  readonly amounts?: readonly string[];
  /** The same for the objects of a list that the schema leaves open. */
  readonly amountsOfItems?: { readonly list: string; readonly fields: readonly string[] };
  /** Fields that the settings fill in when the mapping does not, such as the store's id. */
  readonly fromSettings?: readonly 'storeId'[];
  /** Payload fields of which the ledger keeps nothing, not even a digest. */
  readonly secret?: readonly string[];
  readonly create?: { readonly method: 'POST'; readonly path: string };
  readonly update?: {
    readonly method: 'PUT' | 'POST';
    readonly path: string;
    /** Query parameter that carries the `_id`. */
    readonly idParam: string;
    /** Regular expression for the whole of an `_id`; left out, identifiers that the store gave show what they look like. */
    readonly idPattern?: string | undefined;
  };
  /** What an update sets to take a record back: nearest to deleting that the API has. */
  readonly trash?: JsonObject;
  readonly list?: ListEndpoint;
  /**
   * Where a create's answer may hold the record, tried in order, then the bare answer: the API document shows `data`
   * only, but stores answer with others too.
   */
  readonly envelopes?: readonly string[];
  /** `ignore`: an answer may have another key than the one that was sent. The default is `check`. */
  readonly echo?: 'check' | 'ignore';
  /** Fields of its native CSV form, as dotted paths, in the order they are written; an export has the `list.id` first. */
  readonly columns: readonly string[];
}
