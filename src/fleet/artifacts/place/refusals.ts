import { ConfigError, printedCommand } from '../../../model/index.ts';
import { MARKER } from './marker.ts';
import type { PlaceRecord } from './record.ts';

const take = (location: string) => printedCommand('fleet init', [], { 'take-artifacts': location });
/** The tool would take a folder with the name that means another place. */
const HOW_TO_TAKE = 'How: storeport fleet init --help';

export function unknownPlace(): ConfigError {
  return new ConfigError(
    'It is not known yet where the files of the fleet are: no worker has named the place.',
    ['Start a worker, or give the place with --artifacts, as the workers have it.'],
  );
}

export function missingFolder(location: string, record: PlaceRecord): ConfigError {
  return new ConfigError(
    location === record.location
      ? `The files of the fleet are in the folder ${location}, which does not exist on this machine.`
      : `There is no folder ${location}. The files of the fleet are in ${record.location}.`,
    ['Mount the shared folder. If it has another path on this machine, give that with --artifacts.'],
  );
}

/** `found`: the id in its marker; undefined: it has none. */
export function otherPlace(name: string, found: string | undefined, { location }: PlaceRecord): ConfigError {
  const isRecorded = name === location;
  if (found !== undefined)
    return new ConfigError(
      isRecorded
        ? `The files in ${name} belong to another fleet, or another copy of this database has taken them over.`
        : `The files of this fleet are in ${location}. Those in ${name} belong to another fleet.`,
      isRecorded
        ? [
            `Give this fleet a place of its own. ${HOW_TO_TAKE}`,
            `If no other fleet or copy uses it, take it over: ${take(name)}`,
          ]
        : ['Leave --artifacts out, or give the place of this fleet.'],
    );
  return new ConfigError(
    isRecorded
      ? `${name} is not the place of the files of this fleet: its ${MARKER} is missing.`
      : `The files of this fleet are in ${location}, not in ${name}: ${MARKER} of this fleet is not there.`,
    [
      'A folder must be the same for all workers. Is it shared, and mounted here?',
      `To keep files there from now on, stop the workers, then: ${take(name)}`,
    ],
  );
}

export function copiedDatabase({ location }: PlaceRecord): ConfigError {
  return new ConfigError(
    `This database was restored or copied, or a standby took over. Another copy of it may still use the files in ${location}, so they are not touched.`,
    [
      `If no other copy is in use, take them over: ${take(location)}`,
      `Otherwise give this one a place of its own. ${HOW_TO_TAKE}`,
    ],
  );
}
