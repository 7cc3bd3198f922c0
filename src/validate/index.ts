export { createUsableCheck } from './usable.ts';
export {
  createValidator,
  type LocateField,
  requiredFields,
  type Validate,
  type ValidateOptions,
} from './validate.ts';
