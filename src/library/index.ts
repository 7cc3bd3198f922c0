/**
 * storeport as a library: imports, checks and exports as async iterables. It neither ends the process nor writes to its
 * console, reads no environment and no settings file, and keeps no state but in the folders that it is given.
 */
export {
  type AnswerCounts,
  ConfigError,
  type ConfigReason,
  type Delivery,
  type Json,
  type JsonObject,
  type OutcomeStatus,
  RunStopped,
  type StopReason,
} from '../model/index.ts';
export type { FormatOptions, ListSummary } from '../pipeline/index.ts';
export type { Mode } from '../plan/index.ts';
export type { ReportFormat, Summary } from '../report/index.ts';
export { type ApiOverrides, schemas } from '../resources/index.ts';
export type { InDoubtPolicy, StoreLog } from '../store/index.ts';
export { type ExportRecordsOptions, exportRecords } from './export-records.ts';
export { type ImportRecordsOptions, importRecords } from './import-records.ts';
export {
  type LoadedMapping,
  loadMapping,
  type MappingSuggestion,
  type MappingText,
  type SuggestedField,
  type SuggestMappingOptions,
  suggestMapping,
} from './load-mapping.ts';
export type {
  FilesOpened,
  OpenedSource,
  RecordOutcome,
  RecordsEvent,
  RecordsSummary,
} from './record-events.ts';
export type { RecordFiles, RecordInput, RecordObjects } from './record-input.ts';
export type { ApiOption, RecordProblem, RecordProblems, RecordRunOptions } from './records-options.ts';
export {
  type Checkout,
  type Customer,
  type Discount,
  type ImportableResource,
  type ItemOf,
  type ListedProduct,
  type ListedResource,
  type Order,
  type PayloadOf,
  type Product,
  type ResourceInfo,
  type Review,
  resources,
  type StoreImage,
  type Supplier,
} from './schemas.ts';
export type { EventRun } from './start-run.ts';
export {
  openRecordClient as createStoreClient,
  type RecordClient as StoreClient,
  type RecordClientOptions as StoreClientOptions,
} from './store-client.ts';
export type { StoreOptions } from './store-options.ts';
export { type ValidateRecordsOptions, validateRecords } from './validate-records.ts';
