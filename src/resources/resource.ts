import type * as z from 'zod';
import type { JsonObject, TextMeaning } from '../model/index.ts';

/** A list endpoint: `GET path?page=&limit=`, which answers `{results, paginate}`. */
export interface ListEndpoint {
  readonly path: string;
  /** Another path that the API document shows for the same list. */
  readonly otherPath?: string;
  /** Items requested per page; the store may return fewer. */
  readonly pageSize: number;
  /** `--filter name=value` → query parameter, as the API calls it. */
  readonly filters: Readonly<Record<string, string>>;
  /** Field of an item by which a match can be checked, for each name in `filters`. A filter without one is not checked. */
  readonly filterFields?: Readonly<Record<string, FilterField>>;
  /** Field that identifies an item. Items are deduplicated by it, since a list may shift while it is paged. */
  readonly id?: string;
  /** Field with the time of creation: ISO 8601 (API document, type notation of `date`). */
  readonly created?: string;
  /** True if the API document names the path but shows no answer. The store may answer with something else than a list. */
  readonly undocumented?: true;
}

export interface FilterField {
  /** Dotted path in the item. */
  readonly path: string;
  readonly type: 'text' | 'integer' | 'boolean';
}

/** A field that a new record must have if another field has a certain value. */
export interface RequirementCondition {
  /** A top-level field, as is `when.field`. */
  readonly field: string;
  readonly when: { readonly field: string; readonly is: string | number | boolean };
}

/** Returns true if records are identified by a mail address, which is compared without regard to case. */
export function isKnownByMail({ key = [], mails = [] }: Pick<Resource, 'key' | 'mails'>): boolean {
  return key.some((field) => mails.includes(field));
}

/**
 * Description of one kind of record in the store. To add a resource, add such a description and its line in
 * `registry.ts`; CONTRIBUTING.md has an example.
 */
export interface Resource {
  /** Plural, as on the command line. */
  readonly name: string;
  /** The settings that changed this description, as plain data; see `resourceOf`. */
  readonly overrides?: object | undefined;
  readonly singular: string;
  /** Payload of a create, or item of a list if it is read-only, field by field from the API document. */
  readonly schema: z.ZodObject;
  /** Payload of an update if it differs: null clears a field. None of its fields is required. */
  readonly updateSchema?: z.ZodObject;
  readonly requiredWhen?: readonly RequirementCondition[];
  /** Payload fields that identify a record across runs. The first one with a value counts. */
  readonly key?: readonly string[];
  /** The key field that is a phone number, and the path of the object with code and name of the country it is dialled in. */
  readonly phoneKey?: { readonly field: string; readonly country: readonly string[] };
  /** Dotted paths of mail addresses. */
  readonly mails?: readonly string[];
  /** Dotted paths of texts of one kind, by the kind; `*` means each item of a list. */
  readonly meanings?: Readonly<Partial<Record<TextMeaning, readonly string[]>>>;
  /** Top-level fields with the times at which something begins and ends. */
  readonly period?: { readonly start: string; readonly end: string };
  /** Dotted paths of fields that are the web address of an image; `*` means each item of a list. */
  readonly images?: readonly string[];
  /** Dotted paths of numbers that are never below 0. */
  readonly amounts?: readonly string[];
  /** The same for the objects of a list whose items the schema does not describe. */
  readonly amountsOfItems?: { readonly list: string; readonly fields: readonly string[] };
  /**
   * Numbers that the ledger keeps as they were sent last, so that a jump can be found: their dotted path, and the one of a record whose
   * variants have them.
   */
  readonly watched?: readonly {
    readonly name: 'price' | 'stock';
    readonly path: string;
    readonly ofVariants: 'lowest' | 'sum';
  }[];
  /** Fields that the settings fill in if the mapping does not, such as the store's id. */
  readonly fromSettings?: readonly 'storeId'[];
  /** Payload fields that the ledger does not keep, not even as a digest. */
  readonly secret?: readonly string[];
  readonly create?: { readonly method: 'POST'; readonly path: string };
  readonly update?: {
    readonly method: 'PUT' | 'POST';
    readonly path: string;
    /** Query parameter for the `_id`. */
    readonly idParam: string;
    /** Regular expression for the whole `_id`. If undefined, the form is learned from identifiers that the store returned. */
    readonly idPattern?: string | undefined;
  };
  /** Fields that an update sets to move a record to the trash. The API cannot delete. */
  readonly trash?: JsonObject;
  readonly list?: ListEndpoint;
  /**
   * Fields of a create's answer that may hold the record, tried in order; then the answer itself. The API document shows
   * only `data`, but stores use others too.
   */
  readonly envelopes?: readonly string[];
  /** `ignore`: the key in an answer may differ from the one that was sent. The default is `check`. */
  readonly echo?: 'check' | 'ignore';
  /** Columns of the native CSV, as dotted paths, in their order. An export puts `list.id` first. */
  readonly columns: readonly string[];
}
