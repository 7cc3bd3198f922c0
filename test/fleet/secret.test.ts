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

test('a secret is read from a variable or a file of the worker, without blanks around it', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, '\ufeff hunter2\n');
  expect(resolveSecret('env:RED', { RED: ' hunter2 ' })).toBe('hunter2');
  expect(resolveSecret(`file:${file}`, {})).toBe('hunter2');
});

test.each([
  ['env:ABSENT', 'in the variable ABSENT, which this worker does not have'],
  ['env:EMPTY', 'is empty on this worker'],
  ['env:BROKEN', 'has a line break or an invisible character'],
  ['file:/nowhere/secret', 'in the file /nowhere/secret, which this worker cannot read (ENOENT)'],
])('%s is refused without showing a secret', (reference, message) => {
  const environment = { EMPTY: ' ', BROKEN: 'hunter\n2' };
  expect(() => resolveSecret(reference, environment)).toThrow(message);
  expect(() => resolveSecret(reference, environment)).not.toThrow('hunter');
});
