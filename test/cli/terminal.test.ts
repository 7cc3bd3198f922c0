import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/cli/logger.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { createMask } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/run.ts';

const SECRET = 'hunter2-and&more';

function open(options: { quiet?: boolean; json?: boolean; progress?: boolean; isTTY?: boolean } = {}) {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: options.isTTY ?? false });
  const terminal = createTerminal({
    quiet: options.quiet ?? false,
    json: options.json ?? false,
    progress: options.progress ?? true,
    mask: createMask([SECRET]),
    stdout,
    stderr,
  });
  return { terminal, said: () => ({ out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }) };
}

describe('the way out for text', () => {
  test('hides secrets in results, messages, errors and status lines, also those that become known later', () => {
    const { terminal, said } = open();
    terminal.hide('token-that-came-later');
    for (const say of [terminal.out, terminal.note, terminal.error, terminal.status])
      say(`a ${SECRET} b ${encodeURIComponent(SECRET)} c token-that-came-later d`);
    const { out, err } = said();
    expect(out).toBe('a *** b *** c *** d\n');
    expect(err).toBe('a *** b *** c *** d\n'.repeat(3));
  });

  test('does not let text from a file steer the terminal', () => {
    const { terminal, said } = open();
    terminal.out('a \u001b[31mred\u0007 b\n\tc');
    expect(said().out).toBe('a \ufffd[31mred\ufffd b\n\tc\n');
  });

  test('with --quiet only errors are left, with --json also no notes, and progress can be left out alone', () => {
    const speak = ({ terminal, said }: ReturnType<typeof open>) => {
      terminal.note('note');
      terminal.status('status');
      terminal.error('error');
      return said().err;
    };
    expect(speak(open())).toBe('note\nstatus\nerror\n');
    expect(speak(open({ quiet: true }))).toBe('error\n');
    expect(speak(open({ progress: false }))).toBe('note\nerror\n');
    expect(speak(open({ json: true }))).toBe('status\nerror\n');
  });

  test('on a terminal the status line is written over, never left between messages', () => {
    const { terminal, said } = open({ isTTY: true });
    terminal.status('10 %');
    terminal.status('20 %');
    terminal.note('hello');
    expect(said().err).toBe('10 %\r\u001b[2K20 %\r\u001b[2Khello\n');
  });
});

describe('the log', () => {
  test('hides secrets wherever they stand in an entry', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({ level: 'debug', file, mask: createMask([SECRET]), onFailure: () => {} });
    log.debug(
      () => ({ path: `/x?clientSecret=${encodeURIComponent(SECRET)}`, deep: { error: SECRET } }),
      `said ${SECRET}`,
    );
    const entry = readFileSync(file, 'utf8');
    expect(entry).not.toContain('hunter2');
    expect(JSON.parse(entry)).toMatchObject({ deep: { error: '***' }, msg: 'said ***' });
  });

  test('keeps to its level', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({ level: 'warn', file, mask: (text) => text, onFailure: () => {} });
    const asked = vi.fn(() => ({}));
    log.debug(asked, 'no');
    log.info({}, 'no');
    log.warn({}, 'yes');
    expect(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toEqual(['yes']);
    expect(asked).not.toHaveBeenCalled();
  });
});
