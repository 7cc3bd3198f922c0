/** The sandbox as a library, `storeport/sandbox`: a store for the tests of other programs. */
export type { Json } from '../model/index.ts';
export {
  type CreatedCollection,
  DataFileError,
  DEMO_CREDENTIALS,
  FaultError,
  type GivenFaults,
  type JournalEntry,
  type Sandbox,
  type SandboxCollection,
  type SandboxOptions,
  type SeededListName,
  type SeedOptions,
  type StoreChange,
  startSandbox,
} from '../sandbox/index.ts';
