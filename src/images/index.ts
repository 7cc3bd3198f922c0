/** The images that payloads name: their addresses are asked once each, before anything is sent. */

export { imageAddress } from './address.ts';
export type { CheckedAddresses, ImageExample, ImageProgress } from './check-addresses.ts';
export {
  type CheckedImages,
  eachText,
  type ImageFaultSource,
  NO_WRONG_IMAGES,
  openCheckedImages,
} from './image-check.ts';
export { type ImageCheckOptions, type OpenImageCheck, openImageCheck } from './open-check.ts';
export { faultsPath } from './verdict-file.ts';
