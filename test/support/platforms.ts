import { beforeEach, type RunnerTask } from 'vitest';

/** The reason that a test is left out, and the systems on which it holds. */
interface Lack {
  readonly why: string;
  readonly on: readonly string[];
}

const WINDOWS = ['win32'];
const NOT_LINUX = ['win32', 'darwin'];

const SIGNALS: Lack = { on: WINDOWS, why: 'Windows has no signals: a process can only be killed' };
const FULL_DISK: Lack = { on: WINDOWS, why: 'the full disk is made by `ulimit`' };
const FULL_DEVICE: Lack = { on: NOT_LINUX, why: 'the full disk is the device /dev/full' };
const LINKS: Lack = { on: WINDOWS, why: 'symbolic links need rights there that most accounts do not have' };
const DEVICES: Lack = { on: WINDOWS, why: 'devices and named pipes have no paths there' };
const MODES: Lack = { on: WINDOWS, why: 'files have no modes there' };
const OPEN_FILES: Lack = { on: NOT_LINUX, why: 'open files are listed by /proc' };
const DELETED: Lack = { on: WINDOWS, why: 'a file that is open keeps its name there' };

/**
 * Tests that cannot run on some systems. Without titles: all tests of the file. A title is a part of the name of a test or of a
 * group of tests.
 */
export const LEFT_OUT: readonly {
  readonly file: string;
  readonly titles?: readonly string[];
  readonly lack: Lack;
}[] = [
  { file: 'cli/commands/clean-thread.slow', titles: ['leaves no file if it is interrupted'], lack: SIGNALS },
  { file: 'cli/commands/clean', titles: ['clean writes no file beside a device'], lack: DEVICES },
  { file: 'cli/commands/commands', titles: ['serves the API until it is stopped'], lack: SIGNALS },
  { file: 'cli/commands/sandbox', titles: ['the journal of a sandbox that loses an answer'], lack: SIGNALS },
  { file: 'cli/commands/validate-threads.slow', titles: ['ends when it is interrupted'], lack: SIGNALS },
  {
    file: 'cli/export/failures.slow',
    titles: ['interrupted export', 'SIGTERM ends an export'],
    lack: SIGNALS,
  },
  { file: 'cli/export/failures.slow', titles: ['a full disk'], lack: FULL_DISK },
  { file: 'cli/import/errors-as-xlsx', titles: ['a full disk'], lack: FULL_DISK },
  { file: 'cli/input/changed-sources.slow', lack: DEVICES },
  { file: 'cli/options/file-size-limits.slow', lack: DEVICES },
  { file: 'cli/options/overwriting', lack: LINKS },
  { file: 'cli/options/settings', titles: ['others can read', 'no other user can read'], lack: MODES },
  { file: 'cli/output/closed-output.slow', titles: ['a pipe'], lack: DEVICES },
  { file: 'cli/output/log', titles: ['the log is complete after an interrupt'], lack: SIGNALS },
  { file: 'cli/recovery/crashed-runs.slow', titles: ['a second Ctrl-C'], lack: SIGNALS },
  { file: 'cli/recovery/interrupt.slow', lack: SIGNALS },
  { file: 'cli/recovery/reader-thread.slow', titles: ['when the run is interrupted'], lack: SIGNALS },
  { file: 'cli/recovery/resume.slow', lack: SIGNALS },
  {
    file: 'cli/recovery/stopped-runs.slow',
    titles: ['a full disk for the reports', 'a log that cannot be'],
    lack: FULL_DEVICE,
  },
  { file: 'cli/recovery/stopped-runs.slow', lack: SIGNALS },
  { file: 'cli/start/code-cache.slow', titles: ['an installation'], lack: LINKS },
  { file: 'cli/store/rate.slow', lack: SIGNALS },
  { file: 'cli/ui/attacks', lack: LINKS },
  { file: 'fleet/artifacts/publish', titles: ['is not left open'], lack: OPEN_FILES },
  { file: 'ledger/database/crash-states', titles: ['while the other logs are examined'], lack: LINKS },
  { file: 'pipeline/export/export', titles: ['device'], lack: DEVICES },
  { file: 'pipeline/inputs/lookups', titles: ['a folder or a device'], lack: DEVICES },
  { file: 'pipeline/inputs/lookups', titles: ['the folders that a lookup file may be in'], lack: LINKS },
  { file: 'pipeline/prepare/split-groups', titles: ['leaves no file open'], lack: OPEN_FILES },
  { file: 'group/temporary-tables', titles: ['tables have no name', 'closing removes it'], lack: DELETED },
  { file: 'read/open-files', lack: DELETED },
  { file: 'report/reports', titles: ['if one report cannot be opened'], lack: OPEN_FILES },
  { file: 'sandbox/storage/data-file', titles: ['the disk is full'], lack: FULL_DISK },
  { file: 'ui/runs/fixes', titles: ['no file stays open'], lack: OPEN_FILES },
  { file: 'ui/runs/runs', titles: ['does not stay open'], lack: OPEN_FILES },
  { file: 'ui/runs/runs', titles: ['no other file can be read'], lack: LINKS },
  { file: 'write/atomic-file', titles: ['a symbolic link stays one'], lack: LINKS },
  { file: 'write/atomic-file', titles: ['then the new one has its permissions'], lack: MODES },
  { file: 'write/atomic-file', titles: ['a device is written in place'], lack: DEVICES },
  { file: 'write/overwriting', lack: LINKS },
];

/** The reason that a test is left out on a system; undefined if it is run. `names`: of the test and of its groups. */
export function whyLeftOut(platform: string, file: string, names: readonly string[]): string | undefined {
  const found = LEFT_OUT.find(
    (each) =>
      each.lack.on.includes(platform) &&
      file === `test/${each.file}.test.ts` &&
      (each.titles ?? ['']).some((title) => names.some((name) => name.includes(title))),
  );
  return found?.lack.why;
}

if (LEFT_OUT.some(({ lack }) => lack.on.includes(process.platform)))
  beforeEach(({ task, skip }) => {
    const names: string[] = [];
    for (let at: RunnerTask | undefined = task; at !== undefined; at = at.suite) names.push(at.name);
    const why = whyLeftOut(process.platform, task.file.name.replaceAll('\\', '/'), names);
    if (why !== undefined) skip(why);
  });
