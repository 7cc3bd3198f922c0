import { spawnSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfDeadProcess } from '../../src/model/index.ts';
import { temporaryFolder } from '../support/run.ts';

function fileWritten(secondsAgo: number): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(file, at, at);
  return file;
}

test('a file of a process that has ended is left', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isOfDeadProcess(fileWritten(0), pid)).toBe(true);
});

test('a file of a running process is not left, however old it is', () => {
  expect(isOfDeadProcess(fileWritten(1e6), process.ppid)).toBe(false);
});

test('with the number of this process, the time of the file decides', () => {
  expect(isOfDeadProcess(fileWritten(0), process.pid)).toBe(false);
  expect(isOfDeadProcess(fileWritten(1e6), process.pid)).toBe(true);
});
