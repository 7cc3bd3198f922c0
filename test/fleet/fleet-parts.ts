import { addStore, type FleetStore, type NewStore } from '../../src/fleet/index.ts';
import type { Sql } from '../../src/postgres/index.ts';

/** Adds a store whose address nobody asks. */
export function addPlainStore(sql: Sql, name: string, rest: Partial<NewStore> = {}): Promise<FleetStore> {
  return addStore(sql, {
    name,
    baseUrl: `https://${name}.example`,
    settings: { clientId: 'client', secret: 'env:SECRET' },
    ...rest,
  });
}
