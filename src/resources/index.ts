export {
  columnNames,
  type FieldType,
  fieldType,
  isDocumented,
  leafPaths,
  nativeColumns,
  REST_COLUMN,
  typeAt,
} from './fields.ts';
export {
  type ApiOverrides,
  apiOverrides,
  mergedOverrides,
  missingParts,
  type Overrides,
  overridden,
  type PlainResource,
  partsObject,
  placesIn,
  resourceOf,
} from './overrides.ts';
export { exportable, importable, RESOURCES, resourceNamed } from './registry.ts';
export {
  type FilterField,
  isKnownByMail,
  type ListEndpoint,
  type RequirementCondition,
  type Resource,
} from './resource.ts';
export { schemas } from './schemas.ts';
