import { expect, test } from 'vitest';
import { createCommandPort } from '../../../src/cli/command-port.ts';
import { uiCommand } from '../../../src/cli/commands/ui.ts';
import type { CommandContext } from '../../../src/cli/context.ts';
import { SILENT } from '../../../src/cli/output/logger.ts';
import { createTerminal } from '../../../src/cli/output/terminal.ts';
import { ConfigError, RunStopped } from '../../../src/model/index.ts';
import { createMask } from '../../../src/store/mask/mask.ts';
import { temporaryFolder } from '../../support/run.ts';
import { testIo } from '../../support/test-io.ts';

/** A server whose only command is a function. `stderr`: what its own terminal has shown. */
function serverOf(command: (context: CommandContext) => Promise<number>) {
  let stderr = '';
  const stream = {
    on: () => stream,
    write(text: string) {
      stderr += text;
    },
  } as never;
  const terminal = createTerminal({
    ...{ quiet: false, json: false, progress: false, mask: createMask([]) },
    io: { stdin: stream, stdout: stream, stderr: stream, env: {} },
    exit: () => {},
  });
  const context: CommandContext = {
    commands: new Map(),
    ...{
      terminal,
      log: SILENT,
      environment: {},
      json: false,
      commandFiles: { named: [], log: undefined } as never,
    },
    io: testIo(),
    onInterrupt: () => new AbortController().signal,
    onExit: () => () => {},
    commandOf: async () => command,
  };
  const port = createCommandPort(context, temporaryFolder());
  return { port, context, stderr: () => stderr };
}

/** Runs a command that asks for a secret, and ends with each of these in turn. Resolves with the questions asked. */
async function questionsOf(ends: readonly (number | Error)[]): Promise<number> {
  let [asked, at] = [0, 0];
  const { port } = serverOf(async ({ terminal }) => {
    await terminal.askSecret?.('Client secret? ');
    const end = ends[at++] as number | Error;
    if (typeof end !== 'number') throw end;
    return end;
  });
  for (const _ of ends)
    await port.run(['auth', 'check'], {
      stopped: new AbortController().signal,
      askSecret: async () => `secret-${++asked}`,
    });
  return asked;
}

test.each([
  ['a command that is done', [0, 0], 1],
  ['records that are invalid', [1, 0], 1],
  ['a person who stops it', [130, 0], 1],
  ['credentials that are refused', [new RunStopped('credentials-refused', 'No.'), 0, 0], 2],
  ['credentials that are refused after a while', [0, 3, 0], 2],
  ['a secret of a wrong form', [new ConfigError('A secret has no blank.'), 0], 2],
  ['a wrong command after one that was done', [0, new ConfigError('No such filter.'), 0], 1],
  ['a bug', [new Error('bug'), 0], 2],
])('a secret is asked for again after what may be due to it: %s', async (_name, ends, questions) => {
  expect(await questionsOf(ends as (number | Error)[])).toBe(questions);
});

test('a bug in a command shows its stack without secrets, and the page its message', async () => {
  const { port, stderr } = serverOf(async ({ terminal }) => {
    terminal.hide('hunter2-hunter2');
    terminal.mask.addToken('token-0123456789');
    throw new TypeError('no fetch of hunter2-hunter2 with token-0123456789');
  });
  const { exitCode, failure } = await port.run([], { stopped: new AbortController().signal });
  expect(exitCode).toBe(3);
  expect(failure?.message).toBe('This is a bug in storeport: no fetch of *** with ***');
  expect(stderr()).toContain('TypeError: no fetch of *** with ***');
  // The server itself may fail with the secret in its message too.
  expect(port.mask('hunter2-hunter2')).toBe('***');
});

test('output that is no JSON is no result, and the command ends as it ended', async () => {
  const { port } = serverOf(async ({ terminal }) => {
    terminal.out('not JSON');
    return 1;
  });
  const watch = { stopped: new AbortController().signal };
  expect(await port.run([], watch)).toEqual({ exitCode: 1, result: undefined });
});

test('an interrupt while the page is started ends it', async () => {
  const { context } = serverOf(async () => 0);
  const folder = temporaryFolder();
  const args = { ...{ port: 0, folder, home: `${folder}/home` }, quiet: true, json: false, progress: false };
  expect(await uiCommand.run(args, { ...context, onInterrupt: () => AbortSignal.abort() })).toBe(0);
});
