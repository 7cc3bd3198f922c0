import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveSecret } from '../../src/fleet/stores/secret.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const READER = { name: 'the worker a-1', toDo: 'Give it to all workers.' };

test('a secret is read from a variable or a file of the worker, without blanks around it', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, '\ufeff hunter2\n');
  expect(resolveSecret('env:RED', { RED: ' hunter2 ' }, READER)).toBe('hunter2');
  expect(resolveSecret(`file:${file}`, {}, READER)).toBe('hunter2');
});

test.each([
  ['env:ABSENT', 'in the variable ABSENT, which the worker a-1 does not have'],
  ['env:EMPTY', 'as the worker a-1 has it, is empty'],
  ['env:BROKEN', 'has a line break or an invisible character'],
  ['file:/nowhere/secret', 'in the file /nowhere/secret, which the worker a-1 cannot read (ENOENT)'],
])('%s is refused without showing a secret', (reference, message) => {
  const environment = { EMPTY: ' ', BROKEN: 'hunter\n2' };
  expect(() => resolveSecret(reference, environment, READER)).toThrow(message);
  expect(() => resolveSecret(reference, environment, READER)).toThrow(
    expect.objectContaining({ hints: [READER.toDo] }),
  );
  expect(() => resolveSecret(reference, environment, READER)).not.toThrow('hunter');
});
