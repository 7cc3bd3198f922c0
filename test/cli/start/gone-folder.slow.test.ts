import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { binary, temporaryFolder } from '../../support/run.ts';

// Windows keeps the working folder of a process.
test.skipIf(process.platform === 'win32')(
  'a command whose folder was removed says so, and is no bug',
  async () => {
    const script = 'rmdir "$PWD" && exec "$0" "$1" export reviews --out reviews.csv';
    const [code, stderr] = await new Promise<[unknown, string]>((resolve) =>
      execFile('sh', ['-c', script, process.execPath, binary], { cwd: temporaryFolder() }, (error, _, text) =>
        resolve([error?.code, text]),
      ),
    );
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: The folder in which this command runs was removed or replaced\.\n {2}Change into/,
      ),
    });
  },
);
