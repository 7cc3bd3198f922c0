import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { withFleet } from './open-fleet.ts';

export const fleetInitCommand: Command<DatabaseArguments> = {
  usage: 'init',
  summary: 'Create the tables of the fleet in the database, or bring them to this version',
  options: DATABASE_OPTIONS,
  examples: [
    ['$0 fleet init --database postgres://fleet@db.example.com/fleet', 'Once, and after each update'],
  ],
  run(args, context) {
    return withFleet(
      args,
      context,
      async (fleet, sql) => {
        await fleet.migrate(sql);
        // The tables of the job engine, which workers then need not be allowed to create.
        await (await fleet.startWakeUps(sql)).stop();
        const { terminal, json } = context;
        const stores = (await fleet.listStores(sql)).length;
        if (json) terminal.out(JSON.stringify({ ready: true, stores }));
        else
          terminal.out(
            [
              'The tables of the fleet are ready.',
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
