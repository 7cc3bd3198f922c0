import {
  type ImageVerdict,
  type Issue,
  type Json,
  type JsonObject,
  type Origin,
  ownValue,
} from '../model/index.ts';
import { imageAddress, shownAddress } from './address.ts';
import { megabytes } from './judge.ts';
import { type ImageFault, type ImageFaults, openImageFaults } from './verdict-file.ts';

/** Finds the images of a payload that were found to be wrong. */
export type ImageCheck = (payload: JsonObject, locate: LocateImage) => WrongImages;

export interface WrongImages {
  /** With the cell of each address. */
  readonly issues: readonly Issue[];
  /** About images that may be fine: the same text for all of one reason. */
  readonly warnings: readonly string[];
}

/** For a record whose images are all fine. */
export const NO_WRONG_IMAGES: WrongImages = { issues: [], warnings: [] };

type LocateImage = (field: string) => { readonly column?: string; readonly origin?: Origin };

/** Names the verdicts of a check, as plain data that another thread can take. */
export interface ImageFaultSource {
  /** Path of the file of verdicts. */
  readonly path: string;
  /** The largest image that is allowed, in bytes. */
  readonly mostBytes: number;
}

/** A check by a file of verdicts. */
export interface CheckedImages {
  readonly check: ImageCheck;
  readonly source: ImageFaultSource;
  close(): void;
}

/** `paths`: as in `createImageCheck`. */
export function openCheckedImages(paths: readonly string[], source: ImageFaultSource): CheckedImages {
  const faults = openImageFaults(source.path);
  return { check: createImageCheck(paths, faults, source.mostBytes), source, close: faults.close };
}

/** The issue of each verdict that makes a record invalid. */
const ISSUES: Readonly<Record<Exclude<ImageVerdict, 'ok' | 'unknown'>, IssueWords>> = {
  dead: {
    code: 'image-dead',
    words: (address, found) =>
      `the image "${address}" cannot be fetched: ${found}; correct the address, or leave the image out`,
  },
  private: {
    code: 'image-private',
    words: (address, found) =>
      `the image "${address}" is not on the internet: ${found}; name a public address, or allow private ones with --allow-private-images`,
  },
  'not-an-image': {
    code: 'image-not-an-image',
    words: (address, found) =>
      `"${address}" is not an image: ${found}; name the address of the image itself, or leave it out`,
  },
  'too-large': {
    code: 'image-too-large',
    words: (address, found, most) =>
      `the image "${address}" is too large: ${found}, and ${most} are allowed; name a smaller one, or allow more with --image-max-size`,
  },
  'needs-login': {
    code: 'image-needs-login',
    words: (address, found) =>
      `the image "${address}" is not public: ${found}; make it public, or name another address`,
  },
};

interface IssueWords {
  readonly code: string;
  readonly words: (address: string, found: string, most: string) => string;
}

/** An address in a payload, with its verdict. */
interface FoundImage {
  /** Such as `images.0.src`. */
  readonly field: string;
  readonly text: string;
  readonly fault: ImageFault;
}

/** `paths`: fields with addresses of images, such as `images.*.src`. */
export function createImageCheck(
  paths: readonly string[],
  faults: Pick<ImageFaults, 'find'>,
  mostBytes: number,
): ImageCheck {
  const most = megabytes(mostBytes);
  const steps = paths.map((path) => path.split('.'));

  function faultsIn(payload: JsonObject): FoundImage[] {
    const found: FoundImage[] = [];
    for (const path of steps)
      eachText(payload, path, (text, field) => {
        const address = imageAddress(text);
        const fault = address && faults.find(address.digest);
        if (fault) found.push({ field, text, fault });
      });
    return found;
  }

  return (payload, locate) => {
    const all = faultsIn(payload);
    if (all.length === 0) return NO_WRONG_IMAGES;
    const issues: Issue[] = [];
    const warnings: string[] = [];
    for (const { field, text, fault } of all) {
      const { verdict, found } = fault;
      if (verdict === 'unknown') {
        warnings.push(`An image could not be checked: ${found}. It may be fine.`);
        continue;
      }
      const { code, words } = ISSUES[verdict];
      issues.push({ code, message: words(shownAddress(text), found, most), field, ...locate(field) });
    }
    return { issues, warnings };
  };
}

/** Calls `note` with each text at a path, in which `*` means each item of a list. */
export function eachText(
  value: Json | undefined,
  path: readonly string[],
  note: (text: string, field: string) => void,
  before: readonly string[] = [],
): void {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (typeof value === 'string') note(value, before.join('.'));
  } else if (step === '*') {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) eachText(item, rest, note, [...before, String(index)]);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    eachText(ownValue(value, step), rest, note, [...before, step]);
}
