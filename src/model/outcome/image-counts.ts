/**
 * Verdicts about the address of an image.
 *
 * | word | meaning |
 * |---|---|
 * | ok | an image of a size that is allowed |
 * | dead | nothing can be fetched there |
 * | private | it is on this machine or in a private network, and was not asked |
 * | not-an-image | something else is there |
 * | too-large | an image beyond the limit |
 * | needs-login | the server wants credentials |
 * | unknown | the server had trouble of its own, so the image may be fine |
 */
export const IMAGE_VERDICTS = [
  'ok',
  'dead',
  'private',
  'not-an-image',
  'too-large',
  'needs-login',
  'unknown',
] as const;
export type ImageVerdict = (typeof IMAGE_VERDICTS)[number];

/** Counts of a check of images, as in summary.json: the names are a contract. Each address is counted once. */
export interface ImageCounts {
  /** Addresses in the files: the sum of `verdicts`. */
  readonly addresses: number;
  /** Addresses that were fine in an earlier run, and were not asked again. */
  readonly remembered: number;
  readonly verdicts: Readonly<Record<ImageVerdict, number>>;
}
