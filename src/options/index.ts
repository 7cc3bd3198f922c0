export { type ArgumentsOf, argumentsOf, type OptionalArguments, withDefaults } from './arguments.ts';
export { EXPORT_OPTIONS } from './export-options.ts';
export { CSV_OPTIONS, FORMAT_OPTIONS } from './file-options.ts';
export {
  type Completes,
  camelCase,
  type OfTasks,
  type Option,
  type OptionTable,
  ofTasks,
  TOPICS,
  valueSyntaxOf,
  variableOf,
  withoutDefaults,
} from './option.ts';
export { IMAGE_OPTIONS, READ_OPTIONS, RECORD_OPTIONS, REPORT_OPTIONS } from './record-options.ts';
export {
  COMMON_OPTIONS,
  CONFIG_FILE,
  MONITOR_OPTIONS,
  SEND_OPTIONS,
  STORE_OPTIONS,
} from './store-options.ts';
export * from './syntax.ts';
export { csvFormOf, type ImageSurroundings, reportFormatOf, runOptionsOf } from './values.ts';
