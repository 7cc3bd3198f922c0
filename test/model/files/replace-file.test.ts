import { describe, expect, test } from 'vitest';
import { replaceFile, replaceFileSync } from '../../../src/model/index.ts';

/** A system whose rename fails that many times. Returns the waits, in milliseconds. */
function failing(platform: string, code: string, times: number) {
  const waits: number[] = [];
  let left = times;
  const rename = () => {
    if (left-- > 0) throw Object.assign(new Error(`${code}: rename`), { code });
  };
  return { waits, system: { platform, rename, wait: (ms: number) => void waits.push(ms) } };
}

const WAYS = {
  async: ({ platform, rename, wait }: ReturnType<typeof failing>['system']) =>
    replaceFile('a', 'b', { platform, rename: async () => rename(), wait: async (ms) => wait(ms) }),
  sync: async (system: ReturnType<typeof failing>['system']) => replaceFileSync('a', 'b', system),
};

describe.each(Object.entries(WAYS))('renaming over a file, %s', (_, replace) => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', async (code) => {
    const { system, waits } = failing('win32', code, 3);
    await replace(system);
    expect(waits).toEqual([10, 20, 40]);
  });

  test('ends with the error of the system if another program keeps the file open', async () => {
    const { system, waits } = failing('win32', 'EPERM', 100);
    await expect(replace(system)).rejects.toThrow('EPERM: rename');
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(1270);
  });

  test.each([
    ['linux', 'EACCES'],
    ['darwin', 'EPERM'],
    ['win32', 'ENOSPC'],
  ])('fails at once on %s after %s', async (platform, code) => {
    const { system, waits } = failing(platform, code, 1);
    await expect(replace(system)).rejects.toThrow(code);
    expect(waits).toEqual([]);
  });
});
