export { createValidator, requiredFields, type Validate, type ValidateOptions } from './validate.ts';
