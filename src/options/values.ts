import {
  ageMilliseconds,
  bytesIn,
  constants,
  countryCode,
  maxErrorsIn,
  packageVersion,
} from '../model/index.ts';
import { argumentsOf, type OptionalArguments, withDefaults } from './arguments.ts';
import { type CSV_OPTIONS, FORMAT_OPTIONS } from './file-options.ts';
import { IMAGE_OPTIONS, type READ_OPTIONS, RECORD_OPTIONS, type REPORT_OPTIONS } from './record-options.ts';

/** Facts of the process for the check of images. */
export interface ImageSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Deadline of a request. */
  readonly timeoutMs: number;
}

/** Converts the values of `READ_OPTIONS` to the options of the pipeline. Files, folders and the resource are the caller's. */
export function runOptionsOf(given: OptionalArguments<typeof READ_OPTIONS>, images: ImageSurroundings) {
  const {
    set,
    country,
    allowLookup,
    maxErrors,
    mapping,
    mode,
    limit,
    offset,
    show,
    imageBase,
    maskContacts,
  } = withDefaults(RECORD_OPTIONS, given);
  return {
    ...{ mapping, mode, limit, offset, show, imageBase, maskContacts },
    constants: constants(set),
    country: country === undefined ? undefined : countryCode(country),
    checkImages: imageCheckOf(given, images),
    lookupFolders: allowLookup,
    read: argumentsOf(FORMAT_OPTIONS, given),
    maxErrors: maxErrors === undefined ? undefined : maxErrorsIn(maxErrors),
    reportFormat: reportFormatOf(given),
  };
}

/** How images are checked; undefined if they are not. */
function imageCheckOf(
  given: OptionalArguments<typeof IMAGE_OPTIONS>,
  { environment, timeoutMs }: ImageSurroundings,
) {
  const { checkImages, imageRate, imageMaxSize, imageMaxAge, allowPrivateImages } = withDefaults(
    IMAGE_OPTIONS,
    given,
  );
  if (!checkImages) return undefined;
  return {
    rate: imageRate,
    mostBytes: bytesIn(imageMaxSize) as number,
    maxAgeMs: ageMilliseconds(imageMaxAge),
    allowsPrivate: allowPrivateImages,
    timeoutMs,
    userAgent: `storeport/${packageVersion()}`,
    environment,
  };
}

/** The form of CSV files, without what no option names. */
export function csvFormOf({ outDelimiter, outBom }: OptionalArguments<typeof CSV_OPTIONS>) {
  return {
    ...(outDelimiter === undefined ? {} : { delimiter: outDelimiter }),
    ...(outBom === undefined ? {} : { bom: outBom }),
  };
}

/** The form of reports, without what no option names. */
export function reportFormatOf({
  errorsAs,
  reportWithoutRows,
  ...csv
}: OptionalArguments<typeof REPORT_OPTIONS>) {
  return {
    ...(errorsAs === undefined ? {} : { errorsAs }),
    ...(reportWithoutRows === undefined ? {} : { pageWithoutRows: reportWithoutRows }),
    ...csvFormOf(csv),
  };
}
