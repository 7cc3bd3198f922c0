import { describe, expect, test } from 'vitest';
import { asMissingBinary } from '../../../src/cli/commands/command.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('a machine that cannot load the database', () => {
  test.each([
    [
      'win32-x64',
      failure('ERR_DLOPEN_FAILED', 'The module could not be found.\r\n\\\\?\\C:\\libsql\\index.node'),
      'Visual C++',
    ],
    [
      'linux-x64',
      failure('ERR_DLOPEN_FAILED', '/x/libsql/index.node: GLIBC_2.38 not found'),
      'Install storeport',
    ],
    [
      'win32-arm64',
      failure('MODULE_NOT_FOUND', "Cannot find module '@libsql/win32-arm64-msvc'\nRequire stack"),
      'optional',
    ],
  ])('gets a message with its cure: %s', (system, error, cure) => {
    const found = asMissingBinary(error, system);
    expect(found?.message).toContain(`cannot be loaded on ${system}: `);
    expect(found?.message).not.toMatch(/[\r\n]/);
    expect(found?.hints.join(' ')).toContain(cure);
  });

  test.each([
    failure('MODULE_NOT_FOUND', "Cannot find module './chunk.cjs'"),
    failure('ERR_DLOPEN_FAILED', '/x/other.node'),
    new Error('libsql'),
    undefined,
  ])('is not blamed for another error: %s', (error) => {
    expect(asMissingBinary(error)).toBeUndefined();
  });
});
