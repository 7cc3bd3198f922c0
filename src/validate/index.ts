export { createUsableCheck } from './usable.ts';
export {
  createValidator,
  type Locate,
  requiredFields,
  type Validate,
  type ValidateOptions,
} from './validate.ts';
