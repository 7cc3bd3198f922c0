import { resolve } from '../../../model/files/fs.ts';
import type { OptionTable } from '../../../options/index.ts';
import type { CommandContext } from '../../context.ts';
import type { Fleet, FleetSql } from './open-fleet.ts';

export interface PlaceArguments {
  readonly artifacts?: string | undefined;
  readonly home: string;
}

/** The place of the files of tasks, for commands that cannot name that of the fleet. */
export const FILES_OPTION = {
  artifacts: {
    topic: 'fleet',
    describe:
      'Place of reports and exports, if it has another path on this machine (default: that of the fleet)',
    completes: 'folder',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

/** The place of the files of tasks, for workers: the first one names that of the fleet. */
export const ARTIFACTS_OPTION = {
  artifacts: {
    topic: 'fleet',
    describe:
      'Folder that all workers share, or s3://bucket/prefix, for reports and exports (default: that of the fleet; for its first worker, artifacts below --home)',
    completes: 'folder',
    emptyIsNone: true,
  },
} as const satisfies OptionTable;

type Purpose = Parameters<Fleet['openPlace']>[1]['purpose'];

/**
 * Opens the place of the files of the fleet. `isFirst`: this process may name it. Throws ConfigError if it is unknown, cannot be
 * used, or is not that of the fleet.
 */
export function openFiles(
  { fleet, sql }: { readonly fleet: Fleet; readonly sql: FleetSql },
  { artifacts, home }: PlaceArguments,
  context: CommandContext,
  { purpose, isFirst = false }: { readonly purpose: Purpose; readonly isFirst?: boolean },
) {
  return fleet.openPlace(sql, {
    given: artifacts === undefined ? undefined : placeIn(artifacts),
    usual: isFirst ? resolve(home, 'artifacts') : undefined,
    purpose,
    env: bucketEnvironment(context),
  });
}

/** A location that does not depend on the folder of this process. */
export function placeIn(text: string): string {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? text : resolve(text);
}

/** The environment, whose keys of a bucket are hidden in all output. */
export function bucketEnvironment({ environment, terminal }: CommandContext): CommandContext['environment'] {
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
    const secret = environment[name];
    if (secret) terminal.hide(secret);
  }
  return environment;
}

/** The place of the files in a process that lives long. */
export interface ReopenedFiles {
  open(purpose: Purpose): Promise<Files>;
  close(): Promise<void>;
}

type Files = Awaited<ReturnType<Fleet['openPlace']>>;

/** Opens the place when it is needed, and again after it could not be used. Before a use to write it is verified. */
export function reopenedFiles(
  database: { readonly fleet: Fleet; readonly sql: FleetSql },
  args: PlaceArguments,
  context: CommandContext,
): ReopenedFiles {
  const opened = new Map<Purpose, Promise<Files>>();

  async function openNow(purpose: Purpose): Promise<Files> {
    const before = opened.get(purpose);
    const files = before ?? openFiles(database, args, context, { purpose });
    opened.set(purpose, files);
    try {
      const place = await files;
      if (before !== undefined && purpose === 'write')
        await database.fleet.verifyPlace(database.sql, place, purpose);
      return place;
    } catch (error) {
      if (opened.get(purpose) === files) opened.delete(purpose);
      await before?.then((place) => place.close());
      throw error;
    }
  }

  return {
    open: openNow,
    async close() {
      await Promise.all([...opened.values()].map(async (files) => (await files).close()));
    },
  };
}
