import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { withFleet } from './open-fleet.ts';

interface InitArguments extends DatabaseArguments {
  readonly restored: boolean;
}

export const fleetInitCommand: Command<InitArguments> = {
  usage: 'init',
  summary: 'Create the tables of the fleet in the database, or bring them to this version',
  options: {
    restored: {
      type: 'boolean',
      default: false,
      describe: 'Say that the database comes from a backup: no store gets creates until it is reviewed',
    },
    ...DATABASE_OPTIONS,
  },
  examples: [
    ['$0 fleet init --database postgres://fleet@db.example.com/fleet', 'Once, and after each update'],
    ['$0 fleet init --restored', 'After a backup was put in place, before workers start'],
  ],
  run(args, context) {
    return withFleet(
      args,
      context,
      async (fleet, sql) => {
        await fleet.migrate(sql);
        if (args.restored) await fleet.noteLostCommits(sql);
        // The tables of the job engine, which workers then need not be allowed to create.
        await (await fleet.startWakeUps(sql)).stop();
        const { terminal, json } = context;
        const stores = (await fleet.listStores(sql)).length;
        if (json) terminal.out(JSON.stringify({ ready: true, stores }));
        else
          terminal.out(
            [
              'The tables of the fleet are ready.',
              ...(args.restored
                ? ['No store gets creates until you say: storeport fleet resume --reviewed STORE']
                : []),
              ...(stores === 0
                ? [
                    'To continue:',
                    '  storeport fleet store add NAME --base-url URL --client-id ID --secret env:NAME',
                    '  storeport fleet worker',
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
