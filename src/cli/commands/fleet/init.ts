import { printedCommand } from '../../../model/index.ts';
import type { CommandContext } from '../../context.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, type FleetSql, withFleet } from './open-fleet.ts';
import { bucketEnvironment, openFiles, placeIn } from './place.ts';

interface InitArguments extends DatabaseArguments {
  readonly restored: boolean;
  readonly takeArtifacts?: string | undefined;
  readonly newKey: boolean;
}

export const fleetInitCommand: Command<InitArguments> = {
  usage: 'init',
  summary: 'Create the tables of the fleet in the database, or bring them to this version',
  options: {
    restored: {
      topic: 'fleet',
      type: 'boolean',
      default: false,
      describe: 'Say that the database comes from a backup: no store gets creates until it is reviewed',
    },
    'take-artifacts': {
      topic: 'fleet',
      describe:
        'Folder or s3://bucket/prefix to keep files in from now on; no other database may use it: a copy of this one is then refused there',
      completes: 'folder',
      notFromFile: true,
    },
    'new-key': {
      topic: 'fleet',
      type: 'boolean',
      default: false,
      describe:
        'Encrypt rows in the database with a new key from now on. Keys that are missing count as lost: what failed under them stays unsent',
    },
    ...DATABASE_OPTIONS,
  },
  examples: [
    ['$0 fleet init --database postgres://fleet@db.example.com/fleet', 'Once, and after each update'],
    ['$0 fleet init --restored', 'After a backup was put in place, before workers start'],
    [
      '$0 fleet init --restored --take-artifacts s3://shops/fleet',
      'The same, if the former database is gone',
    ],
  ],
  run(args, context) {
    return withFleet(
      args,
      context,
      async (fleet, sql) => {
        await fleet.migrate(sql);
        if (args.restored) {
          await fleet.noteLostCommits(sql);
          await fleet.disownPlace(sql);
        }
        const taken =
          args.takeArtifacts === undefined
            ? undefined
            : await fleet.takePlace(sql, placeIn(args.takeArtifacts), {
                env: bucketEnvironment(context),
                losesKeys: args.newKey,
              });
        const replaced = args.newKey ? await replaceKey(fleet, sql, context) : undefined;
        // The tables of the job engine, which workers then need not be allowed to create.
        await (await fleet.startWakeUps(sql)).stop();
        const { terminal, json } = context;
        const stores = (await fleet.listStores(sql)).length;
        const artifacts = (await fleet.readPlaceRecord(sql))?.location ?? null;
        if (json) terminal.out(JSON.stringify({ ready: true, stores, artifacts }));
        else
          terminal.out(
            [
              'The tables of the fleet are ready.',
              ...(args.restored ? restoredLines(artifacts, taken !== undefined) : []),
              ...(taken === undefined ? [] : [`Files of tasks are kept in ${taken.location}.`]),
              ...(taken?.before === undefined
                ? []
                : [
                    `Those of earlier tasks stay in ${taken.before}: copy what you need, without its storeport-artifacts.json.`,
                  ]),
              ...(replaced === undefined ? [] : keyLines(replaced)),
              ...(stores === 0
                ? [
                    'To continue:',
                    '  storeport fleet store add --help    a store, with its address and credentials',
                    `  ${printedCommand('fleet worker')}    once there is one`,
                  ]
                : []),
            ].join('\n'),
          );
        return 0;
      },
      { creates: true },
    );
  },
};

async function replaceKey(
  fleet: Fleet,
  sql: FleetSql,
  context: CommandContext,
): Promise<{ readonly path: string; readonly lost: readonly string[] }> {
  await fleet.refuseWorkersAtWork(sql);
  const storage = await openFiles({ fleet, sql }, { home: '' }, context, { purpose: 'write' });
  try {
    return await fleet.replaceRowKey(sql, storage);
  } finally {
    await storage.close();
  }
}

function keyLines({ path, lost }: { readonly path: string; readonly lost: readonly string[] }): string[] {
  return [
    `Rows in the database are encrypted with ${path}, beside the files of tasks, from now on. Keep earlier keys for earlier rows.`,
    ...lost.map((id) => `The key ${id} is lost: records that failed under it stay unsent.`),
  ];
}

/** The steps before a restored fleet does all its work again. */
function restoredLines(artifacts: string | null, isTaken: boolean): string[] {
  return [
    `No store gets creates before its list was asked, or you have looked. Its tasks, with what comes next: ${printedCommand('fleet list')}`,
    ...(artifacts === null || isTaken
      ? []
      : [
          'No worker starts until you say that no other database uses the files:',
          `  ${printedCommand('fleet init', [], { 'take-artifacts': artifacts })}`,
        ]),
  ];
}
