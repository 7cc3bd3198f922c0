import { RunStopped } from '../model/index.ts';
import { whenInterrupted } from './context.ts';
import type { Connection } from './store.ts';

/** Answer of a store that accepted the credentials. */
export interface ObtainedToken {
  /** ISO 8601; undefined if the token does not say it. */
  readonly validUntil: string | undefined;
  readonly storeId: string | undefined;
}

/** Obtains a token and closes the connection. Throws RunStopped if the store refuses, or on an interrupt. */
export async function obtainToken(connection: Connection, interrupted: AbortSignal): Promise<ObtainedToken> {
  whenInterrupted(interrupted, () => {
    connection.client.stop(new RunStopped('interrupted', 'Interrupted before the store gave a token.'));
    void connection.client.close();
  });
  try {
    const { expiresAt, storeId } = await connection.client.authenticate();
    const validUntil = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
    return { validUntil, storeId };
  } finally {
    await connection.close();
  }
}

/** `The store accepted the credentials. …` */
export function tokenLines({ validUntil, storeId }: ObtainedToken): string[] {
  const validity = validUntil ? `is valid until ${validUntil}` : 'does not say how long it is valid';
  return [
    `The store accepted the credentials. The token ${validity}.`,
    ...(storeId === undefined ? [] : [`Store id: ${storeId}`]),
  ];
}
