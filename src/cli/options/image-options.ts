import type { ImportOptions } from '../../pipeline/index.ts';
import { type CommandContext, version } from '../context.ts';
import { AGE_OR_ZERO, ageMilliseconds, bytesIn, milliseconds, POSITIVE, SIZE } from './option-values.ts';

/** Options of commands that may check images. */
export const IMAGE_OPTIONS = {
  'check-images': {
    topic: 'images',
    type: 'boolean',
    default: false,
    describe: 'First ask for the address of each image: records with dead ones are invalid',
  },
  'image-rate': {
    topic: 'images',
    type: 'number',
    syntax: POSITIVE,
    default: 20,
    describe: 'Requests a second to each host of images',
    emptyIsNone: true,
  },
  'image-max-size': {
    topic: 'images',
    type: 'string',
    syntax: SIZE,
    default: '20MB',
    describe: 'The largest image that is allowed',
    emptyIsNone: true,
  },
  'image-max-age': {
    topic: 'images',
    type: 'string',
    syntax: AGE_OR_ZERO,
    default: '7d',
    describe: 'How long an image that was fine is not asked for again',
    emptyIsNone: true,
  },
  'allow-private-images': {
    topic: 'images',
    type: 'boolean',
    default: false,
    describe: 'Also ask for images on this machine and in private networks',
    notFromFile: true,
    emptyIsNone: true,
  },
} as const;

export interface ImageArguments {
  /** Undefined in runs of earlier versions, as are those below. */
  readonly checkImages?: boolean;
  readonly imageRate?: number;
  readonly imageMaxSize?: string;
  readonly imageMaxAge?: string;
  readonly allowPrivateImages?: boolean;
  /** Deadline of a request, for an image or to the store. */
  readonly timeout: string;
}

/** How images are checked; undefined if they are not. */
export function imageCheckIn(
  { checkImages, imageRate, imageMaxSize, imageMaxAge, allowPrivateImages, timeout }: ImageArguments,
  environment: CommandContext['environment'],
): ImportOptions['checkImages'] {
  if (!checkImages) return undefined;
  const { 'image-rate': rate, 'image-max-size': size, 'image-max-age': age } = IMAGE_OPTIONS;
  return {
    rate: imageRate ?? rate.default,
    mostBytes: bytesIn(imageMaxSize ?? size.default) as number,
    maxAgeMs: ageMilliseconds(imageMaxAge ?? age.default),
    allowsPrivate: allowPrivateImages ?? false,
    timeoutMs: milliseconds(timeout),
    userAgent: `storeport/${version()}`,
    environment,
  };
}
