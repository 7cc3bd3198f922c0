import { databaseTrouble } from './fleet-database.ts';

/** Says which tests this machine cannot run, where the others use PGlite. */
export default async function setup(): Promise<void> {
  const trouble = await databaseTrouble();
  if (trouble !== undefined)
    console.log(
      `No server of Postgres (${trouble}): the ledger is tested on PGlite. npm run test:fleet also needs Postgres 15 or newer, by STOREPORT_TEST_DATABASE or at 127.0.0.1:5432 (user postgres, database test).`,
    );
}
