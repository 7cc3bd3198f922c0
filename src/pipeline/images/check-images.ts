import { tmpdir } from 'node:os';
import {
  type CheckedImages,
  eachText,
  faultsPath,
  type ImageCheckOptions,
  imageAddress,
  type OpenImageCheck,
  openCheckedImages,
  openImageCheck,
} from '../../images/index.ts';
import type { SourceFile } from '../../ledger/index.ts';
import { ConfigError, type ImageCounts, makeHome, RunStopped } from '../../model/index.ts';
import { removeLeftovers } from '../../write/index.ts';
import type { ImportInputs, SourceOptions } from '../inputs/inputs.ts';
import { close, openInputs } from '../inputs/open-inputs.ts';
import { expectMapping, expectSameContent, foundMapping } from '../inputs/same-content.ts';
import { createRecordSteps } from '../prepare/map-and-validate.ts';
import { prepareOptions } from '../prepare/prepare-options.ts';
import { readAndGroup } from '../prepare/read-and-group.ts';
import { createRecordSelection } from '../prepare/select-records.ts';
import type { ImagesWatcher } from './watcher.ts';

/** The options of a command that may check images. */
export interface ImagesOptions extends SourceOptions {
  /** Left out, images are not checked. */
  readonly checkImages?: ImageCheckOptions | undefined;
  /** Folder of the ledger. */
  readonly home: string;
  readonly offset: number;
  readonly limit?: number | undefined;
  readonly interrupted: AbortSignal;
  readonly watch: ImagesWatcher & { warned(message: string): void };
}

/** Opened files of a command, and what is known of them. */
export interface FilesOfImages {
  /** Not read by the check: it opens the files again. */
  readonly inputs: ImportInputs;
  /** The files as they were when the run began; none if that does not matter. */
  readonly known?: readonly SourceFile[];
  /** Names for messages, if they are not the paths. */
  readonly names?: readonly string[];
  /** As when they were opened. */
  readonly hasHistory?: boolean;
  /** Changes the rows as the command does. */
  readonly withRows?: (inputs: ImportInputs) => ImportInputs;
}

/** The result of a check. */
export interface ImagesOfRun {
  readonly counts: ImageCounts;
  /** The images that are wrong; undefined if none is. */
  readonly images: CheckedImages | undefined;
  close(): void;
}

/** Throws ConfigError if a command is to check images that cannot be checked. */
export function refuseUncheckableImages(
  { checkImages, resource }: Pick<ImagesOptions, 'checkImages' | 'resource'>,
  { files }: ImportInputs,
): void {
  if (!checkImages) return;
  if (!resource.images)
    throw new ConfigError(`--check-images has nothing to check: ${resource.name} have no images.`, [
      'Leave it out; --no-check-images overrules a setting of the environment.',
    ]);
  const once = files.find(({ source }) => source.size === undefined);
  if (once)
    throw new ConfigError(
      `--check-images reads the files twice, and ${once.source.table.file === '-' ? 'standard input' : once.source.table.file} can be read only once.`,
      ['Save the data as a file, and name that file in place of it.'],
    );
}

/**
 * Reads and maps the files once more, and asks for each address of an image. Undefined if images are not to be checked. Throws
 * RunStopped if the user interrupts: nothing was sent.
 */
export async function checkImages(
  options: ImagesOptions,
  files: FilesOfImages,
): Promise<ImagesOfRun | undefined> {
  const { checkImages: asked, home, resource, interrupted, watch } = options;
  if (!asked) return undefined;
  makeHomeOf(home);
  await removeLeftovers(faultsPath(home));
  const check = await openImageCheck({
    ...{ ...asked, home, interrupted, folder: tmpdir() },
    onWarning: watch.warned,
  });
  let isKept = false;
  try {
    watch.checkingImages?.(check.progress);
    await addImages(check, options, files);
    const { counts, examples } = await check.ask();
    refuseInterrupted(interrupted);
    watch.imagesChecked?.(counts, examples);
    const { addresses, verdicts } = counts;
    if (verdicts.ok === addresses) return { counts, images: undefined, close: () => {} };
    const source = { path: check.faults.path, mostBytes: asked.mostBytes };
    const images = openCheckedImages(resource.images ?? [], source);
    isKept = true;
    return {
      ...{ counts, images },
      close() {
        images.close();
        check.faults.remove();
      },
    };
  } finally {
    await check.close();
    if (!isKept) check.faults.remove();
  }
}

/** The inputs of a command, with the images that are wrong. */
export function withWrongImages(inputs: ImportInputs, checked: ImagesOfRun | undefined): ImportInputs {
  return checked?.images ? { ...inputs, images: checked.images } : inputs;
}

/** The files with the counts of a check, for the ledger. */
export function withImageCounts(
  files: readonly SourceFile[],
  checked: ImagesOfRun | undefined,
): readonly SourceFile[] {
  return files.map((file, index) => (checked && index === 0 ? { ...file, images: checked.counts } : file));
}

/** Adds the addresses in the payloads of all records that the command takes. */
async function addImages(
  check: OpenImageCheck,
  options: ImagesOptions,
  { inputs, known = [], names, hasHistory, withRows = (opened) => opened }: FilesOfImages,
): Promise<void> {
  const { resource, interrupted, mode, offset, limit, home, watch } = options;
  // The warnings about the files were given.
  const opened = await openInputs({ ...options, names, hasHistory, onWarning: () => {} });
  try {
    expectMapping(opened, foundMapping(inputs));
    expectSameContent(opened, known);
    const again = withRows(opened);
    const preparing = prepareOptions({
      options: { resource, mode, offset, limit, home, watch, maskContacts: false },
      counts: { onPrepared: () => {}, onDrained: undefined },
      dryRun: true,
    });
    const selection = createRecordSelection(again, preparing);
    const steps = createRecordSteps(again, preparing);
    const paths = (resource.images ?? []).map((path) => path.split('.'));
    for await (const batch of readAndGroup(again, preparing, undefined)) {
      refuseInterrupted(interrupted);
      for (const { payload } of steps.map(selection.select(batch), batch.binding))
        for (const path of paths)
          eachText(payload, path, (text) => {
            const address = imageAddress(text);
            if (address) check.add(address);
          });
      if (selection.isComplete()) break;
    }
  } finally {
    await close(opened);
  }
}

function refuseInterrupted({ aborted }: AbortSignal): void {
  if (aborted)
    throw new RunStopped('interrupted', 'The check of images was interrupted. Nothing was sent.', [
      'Run the same command again: images that were found to be fine are remembered.',
    ]);
}

/** Throws ConfigError if the folder cannot be made. */
function makeHomeOf(home: string): void {
  try {
    makeHome(home);
  } catch (error) {
    throw new ConfigError(
      `The folder ${home}, which is to remember the images, cannot be made: ${(error as Error).message}.`,
      ['Name another one with --home.'],
    );
  }
}
