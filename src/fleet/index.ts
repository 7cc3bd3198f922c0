export {
  checkSchema,
  connect,
  LEASE_TIMING,
  migrate,
  noteLostCommits,
  type Sql,
} from '../postgres/index.ts';
export { type ArtifactStorage, checkArtifactName, openArtifact, TransferError } from './artifacts/index.ts';
export {
  disownPlace,
  openPlace,
  openRowSeal,
  type PlaceOptions,
  readPlaceRecord,
  refuseWorkersAtWork,
  replaceRowKey,
  takePlace,
  verifyPlace,
} from './artifacts/place/index.ts';
export { adoptRecords } from './execute/adopt-records.ts';
export { createExecutor } from './execute/execute.ts';
export type { ExecutorOptions } from './execute/options.ts';
export { type AnswerDoubts, resolveTask } from './execute/resolve-task.ts';
export { type FleetOverview, fleetOverview, listWorkers, type WorkerLine } from './overview.ts';
export {
  addSchedule,
  listSchedules,
  type NewSchedule,
  pauseSchedule,
  removeSchedule,
  type Schedule,
  type ScheduleTrouble,
  schedulesNaming,
} from './schedules/schedules.ts';
export { type FleetServerOptions, type FleetTokens, startFleetServer } from './serve/index.ts';
export { TASK_STATES, type TaskState, type TaskStep } from './states.ts';
export { taskResource } from './stores/resources.ts';
export { type SelectedStore, selectStores } from './stores/select.ts';
export { type FleetSettings, fleetSettings } from './stores/settings.ts';
export {
  addStore,
  type FleetStore,
  listStores,
  type NewStore,
  oneStore,
  removeStore,
  setSharedRate,
} from './stores/stores.ts';
export { addTasks, type NewTasks } from './tasks/add-tasks.ts';
export { type ChangedTask, resumeTasks, retryTasks, stopTasks } from './tasks/change-tasks.ts';
export { listDoubts, type TaskDoubt, type TaskDoubts } from './tasks/doubts.ts';
export type { TaskFilter } from './tasks/filter.ts';
export { fetchedFolder, fleetCommands } from './tasks/fleet-commands.ts';
export { type FollowUp, followUpOf } from './tasks/follow-up.ts';
export { countTasks, listTasks, showTask, type TaskPage } from './tasks/list-tasks.ts';
export { refuseUnreadableFiles } from './tasks/refuse-files.ts';
export { declareEnded, declareReviewed } from './tasks/resolve.ts';
export type { ArtifactLine, Task, TaskCommand, TaskDetails, Work } from './tasks/task.ts';
export type { ExportTaskOptions, ImportTaskOptions } from './tasks/task-options.ts';
export { visibleOptions } from './tasks/visible-options.ts';
export { startWakeUps, type WakeUps, type WakeUpsOptions, wakeStores, wakeUpSchema } from './wake-ups.ts';
export {
  type CommitTimes,
  type ExecuteTask,
  type StoreToServe,
  type TaskContext,
  type TaskEnd,
  type TaskToRun,
  timingOfFaults,
  WORKER_TIMING,
  type WorkerEnd,
  type WorkerLog,
  type WorkerOptions,
  type WorkerTiming,
} from './worker/options.ts';
export { runWorker } from './worker/worker.ts';
