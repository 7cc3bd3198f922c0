import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { refuseUnreadableFiles } from '../../src/fleet/index.ts';
import { databaseOfFile } from '../support/postgres.ts';
import { temporaryFolder } from '../support/run.ts';

const database = databaseOfFile();
let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'in.csv');
  writeFileSync(file, 'name\n');
});

let workers = 0;
const addWorker = (host: string, sources: readonly string[] | null = null) =>
  database.sql.query(
    `insert into worker (id, host, version, schema_version, slots, sources) values ($1, $2, '1', 8, 1, $3::text[])`,
    [`w-${workers++}`, host, sources],
  );
const refused = (...files: string[]) => refuseUnreadableFiles(database.sql, files);

describe('work on a file', () => {
  test('work on a file that does not exist is refused, unless a worker of another machine may have it', async () => {
    const missing = join(folder, 'missing.csv');
    await expect(refused(file)).resolves.toBeUndefined();
    await expect(refused(file, missing)).rejects.toThrow('missing.csv');
    await addWorker(hostname());
    await expect(refused(missing)).rejects.toThrow('missing.csv');
    await addWorker('elsewhere');
    await expect(refused(missing)).resolves.toBeUndefined();
  });

  test('work on a file that no worker may read is refused', async () => {
    mkdirSync(join(folder, 'read'));
    await addWorker('elsewhere', [join(folder, 'read')]);
    await expect(refused(file)).rejects.toThrow('not in a folder that a worker reads');
    await expect(refused(join(folder, 'read', '..', 'in.csv'))).rejects.toThrow('not in a folder');
    await expect(refused(join(folder, 'reading.csv'))).rejects.toThrow('not in a folder');
    await expect(refused(join(folder, 'read', 'in.csv'))).resolves.toBeUndefined();
    await addWorker('elsewhere', [folder]);
    await expect(refused(file)).resolves.toBeUndefined();
  });

  test('a file behind a link is judged by its real path too', async () => {
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real', 'in.csv'), '');
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await addWorker(hostname(), [join(folder, 'real')]);
    await expect(refused(join(folder, 'link', 'in.csv'))).resolves.toBeUndefined();
  });

  test('work on a file at an address is left to the workers', async () => {
    await addWorker(hostname(), [folder]);
    await expect(refused('s3://shops/in.csv', 'https://shop.example/in.csv')).resolves.toBeUndefined();
  });
});
