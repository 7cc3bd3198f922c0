import { join } from 'node:path';
import { resolve } from '../model/files/fs.ts';
import { COUNTRY_WORDS, ConfigError, countryCode, exitCodeOf, packageVersion } from '../model/index.ts';
import { RECORD_OPTIONS } from '../options/index.ts';
import type { ImportOptions, OwnRules } from '../pipeline/index.ts';
import type { Mode } from '../plan/index.ts';
import type { ReportFormat } from '../report/index.ts';
import type { ApiOverrides, Resource } from '../resources/index.ts';
import type { LoadedMapping } from './load-mapping.ts';
import { type InputFailure, type RecordInput, sourceOf } from './record-input.ts';
import type { ImportableResource, PayloadOf } from './schemas.ts';
import type { EventSink } from './start-run.ts';

/** Something that is wrong with a record. */
export interface RecordProblem {
  /** A sentence for people, without a full stop. */
  readonly message: string;
  /** Dotted path of the field, such as `price.salePrice`: the message then names its column. */
  readonly field?: string | undefined;
}

/** Problems of a record; undefined if it is fine. */
export type RecordProblems =
  | string
  | RecordProblem
  | readonly (string | RecordProblem | undefined)[]
  | undefined;

/**
 * The options of imports and of checks. Those that `storeport import` has too mean the same. `transform` and `check` are
 * called with copies, for one record after another, in the order of the source. If one throws, the record is invalid with the message, and
 * the run continues.
 */
export interface RecordRunOptions<Name extends ImportableResource = ImportableResource> {
  readonly resource: Name;
  /**
   * Called with each payload before it is validated. Returns the payload to send, or undefined to leave the record out. An update may have
   * some fields only. Not called for records with unreadable cells.
   */
  readonly transform?:
    | ((
        record: Partial<PayloadOf<Name>>,
      ) => Partial<PayloadOf<Name>> | undefined | Promise<Partial<PayloadOf<Name>> | undefined>)
    | undefined;
  /** Called with each valid payload. Returns what is wrong with it; such a record is not sent. An update may have some fields only. */
  readonly check?:
    | ((record: Partial<PayloadOf<Name>>) => RecordProblems | Promise<RecordProblems>)
    | undefined;
  /** Folder of the ledger, which knows what earlier runs sent. It is made if it does not exist. */
  readonly home: string;
  /** Name of a preset, path of a mapping file, or a loaded mapping. Default: recognised by the columns. */
  readonly mapping?: string | LoadedMapping | undefined;
  /** Says what to do with new and with known records. Default `upsert`. */
  readonly mode?: Mode | undefined;
  /** Values that are the same for all records, by dotted path: `{ status: 'DRAFT' }`. */
  readonly constants?: Readonly<Record<string, string>> | undefined;
  /** Web address of the folder of images that are given as a path. */
  readonly imageBase?: string | undefined;
  /** Code of the country (ISO 3166-1, such as `DE`) of phone numbers in records that name none, for comparing them. */
  readonly country?: string | undefined;
  /** Folders in which the mapping may look things up, besides its own. */
  readonly lookupFolders?: readonly string[] | undefined;
  /** Records to skip at the beginning. Default 0. */
  readonly offset?: number | undefined;
  /** Records to take at most. */
  readonly limit?: number | undefined;
  /** Stops when more records went wrong: a number, or a part of all such as `{ percent: 5 }`. */
  readonly maxErrors?: number | { readonly percent: number } | undefined;
  /** Replaces mail addresses and phone numbers by made-up ones. */
  readonly maskContacts?: boolean | undefined;
  /** Folder of the reports. Default: a folder with the run's id in `runs`, below `home`. */
  readonly out?: string | undefined;
  /** Form of the reports; missing parts have their defaults. */
  readonly reportFormat?: Partial<ReportFormat> | undefined;
  /** Interrupts the run: requests in flight are awaited, nothing new is sent, and the summary says `interrupted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes the options of the pipeline. Throws ConfigError if one is wrong. */
export function pipelineOptions<Name extends ImportableResource>(
  input: RecordInput,
  options: RecordRunOptions<Name>,
  {
    resource,
    interrupted,
    failure,
  }: {
    readonly resource: Resource;
    readonly failure: InputFailure;
  } & Pick<EventSink<never>, 'interrupted'>,
): Omit<ImportOptions, 'watch'> {
  const { mapping, maxErrors, reportFormat, constants = {}, mode = RECORD_OPTIONS.mode.default } = options;
  const named = typeof mapping === 'object' ? mapping : { name: mapping, text: undefined };
  const home = options.home;
  if (typeof home !== 'string' || home.trim() === '')
    throw new ConfigError('home must be the folder of the ledger.');
  return {
    ...sourceOf(input, failure),
    ...{ resource, mode, constants, home, interrupted, reportFormat },
    mapping: named.name,
    mappingText: named.text,
    imageBase: options.imageBase,
    country: countryIn(options),
    lookupFolders: options.lookupFolders,
    offset: options.offset ?? RECORD_OPTIONS.offset.default,
    limit: options.limit,
    maskContacts: options.maskContacts ?? RECORD_OPTIONS['mask-contacts'].default,
    ownRules: ownRulesIn(options, interrupted),
    maxErrors: typeof maxErrors === 'number' ? { count: maxErrors } : maxErrors,
    out: options.out === undefined ? undefined : resolve(options.out),
    runsFolder: join(resolve(home), 'runs'),
    version: packageVersion(),
    toRepeat: {},
    exitCodeOf,
  };
}

function ownRulesIn<Name extends ImportableResource>(
  { transform, check }: RecordRunOptions<Name>,
  interrupted: AbortSignal,
): OwnRules | undefined {
  for (const [name, given] of Object.entries({ transform, check }))
    if (given !== undefined && typeof given !== 'function')
      throw new ConfigError(`${name} must be a function that takes a record, found ${typeof given}.`);
  if (transform === undefined && check === undefined) return undefined;
  // A payload of the resource is passed, and every result is tested.
  return { transform, check, interrupted } as OwnRules;
}

function countryIn({ country }: Pick<RecordRunOptions, 'country'>): string | undefined {
  if (country === undefined) return undefined;
  const code = typeof country === 'string' ? countryCode(country) : undefined;
  if (code === undefined) throw new ConfigError(`country must be ${COUNTRY_WORDS}.`);
  return code;
}

/** The section `api` of these options, which a check has without a store. */
export interface ApiOption {
  /** Differences from the API document: the section `api` of storeport.config.yaml. */
  readonly api?: ApiOverrides | undefined;
}
