import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ArtifactFile, ArtifactTask } from '../../../src/fleet/artifacts/index.ts';
import { type Lease, type Sql, takeLease } from '../../../src/postgres/index.ts';
import { addTestStore, databaseOfFile } from '../../support/postgres.ts';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'artifacts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a function that fills the database of the file with one store and one task of it. */
export function fleetOfFile() {
  const database = databaseOfFile();
  return async function openFleet() {
    const { sql } = database;
    const store = await addTestStore(sql);
    return { sql, store, task: await addTask(sql, store, 'export-1') };
  };
}

export async function addTask(sql: Sql, store: number, id: string): Promise<ArtifactTask> {
  const [row] = await sql.query<{ number: number }>(
    `insert into task (id, store, command, resource, options)
     values ($1, $2, 'export', 'products', '{}') returning number`,
    [id, store],
  );
  return { number: Number(row?.number), id };
}

/** Takes the lease of a store, from whoever holds it. */
export async function takeOver(sql: Sql, store: number, holder: string): Promise<Lease> {
  await sql.query("update lease set expires = '-infinity' where store = $1", [store]);
  const lease = await takeLease(sql, { store, holder });
  if (lease === undefined) throw new Error('the lease is held by another');
  onTestFinished(() => lease.abandon());
  return lease;
}

/** Writes files into a folder of their own. */
export function localFiles(contents: Readonly<Record<string, string | Buffer>>): ArtifactFile[] {
  const folder = temporaryFolder();
  return Object.entries(contents).map(([name, content], at) => {
    const path = join(folder, String(at));
    writeFileSync(path, content);
    return { name, path };
  });
}
